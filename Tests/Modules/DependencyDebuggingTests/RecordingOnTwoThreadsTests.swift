import Synchronization
import TestSupport
import Testing

@testable import ComposableDependencies
@testable import DependencyDebugging

/// The parts of recording, each on two threads at once: a sanitizer sees what they leave unordered.
@Suite("Recording on two threads")
struct RecordingOnTwoThreadsTests {
  private enum Key: DependencyKey { static var defaultValue: Int { 0 } }

  @Test("a store's listeners change while others are called")
  func listeners() {
    let scope = DependencyScope.isolated()
    let recorder = scope.recorder
    onTwoThreads(rounds: 400) { _, isFirst in
      if isFirst {
        scope.listenToReads { _ in }()
      } else {
        recorder.report(Read(Key.self, from: .defaultValue(of: Key.self), in: scope.node))
      }
    }
    #expect(!scope.isWatched)
  }

  @Test("an update records on several threads, and ends on one of them")
  func updates() {
    let scope = DependencyScope.isolated(usingTestValues: false, recordingPlaces: true)
    let updates = (0..<400).map { _ in
      RecordedUpdate(
        at: SourcePlace(fileID: "A", line: 1), in: scope, reportingTo: scope.recorder)
    }
    let read = Read(AnotherKey.self, from: .defaultValue(of: AnotherKey.self), in: scope.node)
    onTwoThreads(rounds: 400) { round, isFirst in
      let update = updates[round]
      switch isFirst ? 0 : round % 3 {
      case 0: _ = update.origin(of: Key.self, in: scope)
      case 1: _ = update.keep(read)
      default: _ = update.end(in: scope)
      }
      if isFirst, round % 3 == 0 { _ = update.keep(read) }
    }
    for (round, update) in updates.enumerated() { #expect(update.keep(read) == (round % 3 != 2)) }
  }

  private enum AnotherKey: DependencyKey { static var defaultValue: Int { 0 } }

  @Test("an override ends while a read passes it")
  func passed() {
    let scope = DependencyScope.isolated(usingTestValues: false, recordingPlaces: true)
    let passed = Log()
    scope.listenToPassedOverrides { passed.append("\($0.key)") }
    let overriding = Mutex<[DependencyScope?]>((0..<4000).map { _ in scope.with(\.a, 1) })
    // Of the call, only what is noted is left.
    let calls = overriding.withLock { $0 }.map { $0!.run { scope.run { Read.note } } }
    onTwoThreads(rounds: calls.count) { round, isFirst in
      if isFirst {
        overriding.withLock { $0[round] = nil }
      } else {
        CurrentScope.$note.withValue(calls[round]) { _ = scope.a }
      }
    }
    #expect(passed.lines.count < calls.count)
    #expect(passed.lines.allSatisfy { $0 == "AKey" })
  }

  @Test("a key has the name of a property that reads it, not of a function")
  func names() {
    let scope = DependencyScope.isolated()
    _ = scope.keys { _ = $0[AnotherKey.self] }
    #expect(PropertyNames.name(of: AnotherKey.self) == nil)
    func read(_ scope: DependencyScope) -> Int { Dependencies(node: scope.node)[AnotherKey.self] }
    _ = scope.keys { _ = read($0) }
    #expect(PropertyNames.name(of: AnotherKey.self) == nil)
    var number: Int { scope.a }
    _ = scope.keys { _ = $0.a + number }
    #expect(scope.keys { _ = $0.a }.map { PropertyNames.name(of: $0) } == ["a"])
  }
}
