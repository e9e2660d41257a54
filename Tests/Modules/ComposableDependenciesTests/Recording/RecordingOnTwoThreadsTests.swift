import TestSupport
import Testing

@testable import ComposableDependencies

/// The parts of recording, each on two threads at once: a sanitizer sees what they leave unordered.
@Suite("Recording on two threads")
struct RecordingOnTwoThreadsTests {
  private enum Key: DependencyKey { static var defaultValue: Int { 0 } }

  @Test("a store's listeners change while others are called")
  func listeners() {
    let recorder = ReadRecorder()
    onTwoThreads(rounds: 400) { round, isFirst in
      let listener = ReadListener({ _ in }, undeclared: { _ in })
      switch isFirst ? 0 : round % 4 {
      case 0:
        recorder.change { $0.append(listener) }
        recorder.change { listeners in listeners.removeAll { $0 === listener } }
      case 1: recorder.report(RecordedRead(key: Key.self, source: .defaultValue, defaults: []))
      case 2: recorder.report(UndeclaredRead(environment: Empty.self, key: Key.self, property: nil))
      default: _ = recorder.reportsUndeclaredReads
      }
    }
    #expect(!recorder.reportsUndeclaredReads)
  }

  private struct Empty: DependencyEnvironment {}

  @Test("an update records on several threads, and ends on one of them")
  func updates() {
    let scope = DependencyScope.isolated(usingTestValues: false, recordingPlaces: true)
    let updates = (0..<400).map { _ in
      RecordedUpdate(at: SourceLocation(fileID: "A", line: 1), in: scope.node)
    }
    let read = RecordedRead(key: AnotherKey.self, source: .defaultValue, defaults: [])
    onTwoThreads(rounds: 400) { round, isFirst in
      let update = updates[round]
      switch isFirst ? 0 : round % 4 {
      case 0: _ = update.origin(of: Key.self, in: scope.node)
      case 1: _ = update.add(read)
      case 2: _ = update.origins
      default: update.end(over: scope.node!.store)
      }
      if isFirst, round % 3 == 0 { _ = update.add(read) }
    }
    #expect(updates.allSatisfy { $0.origins.count == 1 })
  }

  private enum AnotherKey: DependencyKey { static var defaultValue: Int { 0 } }

  @Test("the name of a property is what follows the root in its description")
  func names() {
    #expect(PropertyNames.name(of: \Dependencies.node) == "node")
    let plain = ["node", "a", "Z", "_x", "x9", "aZ09_z", "grüße", "À"]
    for name in plain { #expect(PropertyNames.name(in: "\\Dependencies.\(name)") == name) }
    let others = ["", "a.b", "<computed 0x1 (Int)>", "subscript(member: Member)", "a-b", "a`b"]
    for text in others { #expect(PropertyNames.name(in: "\\Dependencies.\(text)") == nil) }
    #expect(PropertyNames.name(in: "\\Other.a") == nil)
  }

  @Test("the name of a key's property is learned once")
  func learning() {
    enum Learned: DependencyKey { static var defaultValue: Int { 0 } }
    #expect(PropertyNames.name(of: Learned.self) == nil)
    onTwoThreads(rounds: 100) { _, _ in
      PropertyNames.learn(Learned.self, from: \Dependencies.node)
      #expect(PropertyNames.name(of: Learned.self) == "node")
    }
  }
}
