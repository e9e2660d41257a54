import ComposableReducers
import ComposableTesting
import Testing

// Compiled by three targets: with Swift 6's defaults, in Swift 5 mode, and isolated to the main actor
// by default.

/// On the main actor, the functions that enter a scope accept what `TaskLocal.withValue` accepts.
@Suite("Closures on the main actor that a scope's functions accept")
@MainActor
struct MainActorClosuresTests {
  private let scope = DependencyScope.root.with(\.accepted, 3)

  @Test("a closure passes an inout argument on to an asynchronous method of the main actor")
  func inoutArguments() async throws {
    func change(_ writer: inout Recorder) async throws {
      try await Bare.$number.withValue(2) { try await writer.write(Bare.number) }
      try await scope.run { try await writer.write(DependencyScope.current.accepted) }
      try await withDependencies {
        $0.accepted = 4
      } operation: {
        try await writer.write(DependencyScope.current.accepted)
      }
      try await withTestDependencies {
        $0.accepted = 5
      } operation: {
        try await writer.write(DependencyScope.current.accepted)
      }
    }
    var writer = Recorder()
    try await change(&writer)
    #expect(writer.written == [2, 3, 4, 5])
  }

  @Test("a closure advances a local iterator")
  func iterators() async {
    let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
    for _ in 0..<4 { continuation.yield(0) }
    var iterator = stream.map { $0 + DependencyScope.current.accepted }.makeAsyncIterator()
    let bare = await Bare.$number.withValue(2) { await iterator.next(isolation: MainActor.shared) }
    let first = await scope.run { await iterator.next(isolation: MainActor.shared) }
    let second = await withDependencies(
      { $0.accepted = 4 }, operation: { await iterator.next(isolation: MainActor.shared) })
    let third = await withTestDependencies(
      { $0.accepted = 5 }, operation: { await iterator.next(isolation: MainActor.shared) })
    #expect([bare, first, second, third] == [1, 3, 4, 5])
  }

  @Test("a closure uses an object of the main actor, and one that isn't sendable")
  func objects() async {
    let model = MainModel()
    let plain = PlainModel()
    await scope.run {
      await model.load()
      plain.load()
      await Task.yield()
      MainActor.assertIsolated()
    }
    await withDependencies {
      $0.accepted = 4
    } operation: {
      await model.load()
      plain.load()
    }
    await withTestDependencies {
      $0.accepted = 5
    } operation: {
      await model.load()
      plain.load()
    }
    #expect(model.loaded == [3, 4, 5])
    #expect(plain.loaded == [3, 4, 5])
  }
}

private enum Bare {
  @TaskLocal static var number = 1
}

@MainActor
private struct Recorder {
  var written: [Int] = []

  mutating func write(_ number: Int) async throws {
    await Task.yield()
    written.append(number)
  }
}

@MainActor
private final class MainModel {
  var loaded: [Int] = []

  func load() async {
    await Task.yield()
    loaded.append(DependencyScope.current.accepted)
  }
}

nonisolated private final class PlainModel {
  var loaded: [Int] = []

  func load() { loaded.append(DependencyScope.current.accepted) }
}

nonisolated private enum AcceptedKey: DependencyKey {
  static var defaultValue: Int { 1 }
}

nonisolated extension Dependencies {
  fileprivate var accepted: Int {
    get { self[AcceptedKey.self] }
    set { self[AcceptedKey.self] = newValue }
  }
}
