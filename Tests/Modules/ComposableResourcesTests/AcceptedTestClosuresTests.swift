import ComposableResources
import ComposableTesting
import Testing

// Compiled by three targets, as `AcceptedClosuresTests` is.

/// What `TaskLocal.withValue` accepts, `withTestDependencies` and `withResources` accept as well.
@Suite("Closures that the functions of other modules accept")
nonisolated struct AcceptedTestClosuresTests {
  @Test("a closure passes an inout argument on to an asynchronous method")
  func inoutArguments() async throws {
    let bodies: [@Sendable @concurrent (inout any Writer) async throws -> Void] = [
      { writer in
        try await withTestDependencies {
          $0.number = 4
        } operation: {
          try await writer.write()
        }
      },
      { writer in try await withResources(NumberKey.self) { try await writer.write() } },
    ]
    var written: [Int] = []
    for body in bodies {
      var writer: any Writer = Recorder()
      try await body(&writer)
      written += writer.written
    }
    #expect(written == [4, 3])
  }

  @Test("a closure changes an inout parameter of the function around it")
  func inoutParameters() async throws {
    func change(_ number: inout Int) async throws {
      await withTestDependencies {
        $0.number = 4
      } operation: {
        await Task.yield()
        number += DependencyScope.current.number
      }
      try await withResources(NumberKey.self) {
        await Task.yield()
        number += DependencyScope.current.number
      }
    }
    var number = 1
    try await change(&number)
    #expect(number == 8)
  }

  @Test("a closure advances a local iterator")
  func iterators() async throws {
    let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
    continuation.yield(0)
    continuation.yield(0)
    var iterator = stream.map { $0 + DependencyScope.current.number }.makeAsyncIterator()
    let first = await withTestDependencies {
      $0.number = 4
    } operation: {
      await iterator.next()
    }
    let second = try await withResources(NumberKey.self) { await iterator.next() }
    #expect((first, second) == (4, 3))
  }

  @Test("a closure calls a nonisolated method of an object that isn't sendable")
  func objects() async throws {
    let loader = Loader()
    await withTestDependencies {
      $0.number = 4
    } operation: {
      await loader.load()
    }
    try await withResources(NumberKey.self) { await loader.load() }
    #expect(loader.loaded == [4, 3])
  }

  @Test("a closure changes a noncopyable value")
  func noncopyableValues() async throws {
    var counter = Counter()
    await withTestDependencies {
      $0.number = 4
    } operation: {
      await counter.add()
    }
    try await withResources(NumberKey.self) { await counter.add() }
    #expect(counter.sum == 7)
  }

  @Test("a closure returns a value that isn't sendable")
  func results() async throws {
    let first = await withTestDependencies {
      $0.number = 4
    } operation: {
      await Loader.make()
    }
    let second = try await withResources(NumberKey.self) { await Loader.make() }
    #expect(first.loaded + second.loaded == [4, 3])
  }

  @Test("a closure throws the type of error that it declares")
  func typedErrors() async {
    do throws(Rejection) {
      try await withTestDependencies {
        $0.number = 4
      } operation: { () async throws(Rejection) in
        throw Rejection(number: DependencyScope.current.number)
      }
    } catch {
      #expect(error.number == 4)
    }
  }

  @Test("a closure that is written on an actor stays on it")
  func actors() async throws {
    #expect(try await Accumulator().sum() == 7)
    try await mainActorStays()
  }

  @MainActor
  private func mainActorStays() async throws {
    let loader = Loader()
    await withTestDependencies {
      $0.number = 4
    } operation: {
      MainActor.preconditionIsolated()
      await Task.yield()
      MainActor.preconditionIsolated()
      loader.loaded.append(1)
    }
    try await withResources(NumberKey.self) {
      MainActor.preconditionIsolated()
      await Task.yield()
      MainActor.preconditionIsolated()
      loader.loaded.append(2)
    }
    #expect(loader.loaded == [1, 2])
  }

  @Test("an explored body runs asynchronous methods of objects that it makes")
  func explored() async throws {
    let exploration = try await explore(schedules: 3) {
      let loader = Loader()
      await loader.load()
      #expect(loader.loaded == [1])
    }
    #expect(exploration.schedules > 0)
  }
}

nonisolated private protocol Writer {
  var written: [Int] { get }
  mutating func write() async throws
}

nonisolated private struct Recorder: Writer {
  var written: [Int] = []

  mutating func write() async throws { written.append(DependencyScope.current.number) }
}

nonisolated private final class Loader {
  var loaded: [Int] = []

  func load() async { loaded.append(DependencyScope.current.number) }

  static func make() async -> sending Loader {
    let loader = Loader()
    await loader.load()
    return loader
  }
}

nonisolated private struct Counter: ~Copyable {
  var sum = 0

  mutating func add() async { sum += DependencyScope.current.number }
}

nonisolated private struct Rejection: Error {
  let number: Int
}

private actor Accumulator {
  var total = 0

  func sum() async throws -> Int {
    await withTestDependencies {
      $0.number = 4
    } operation: {
      preconditionIsolated()
      await Task.yield()
      preconditionIsolated()
      total += DependencyScope.current.number
    }
    try await withResources(NumberKey.self) {
      preconditionIsolated()
      await Task.yield()
      preconditionIsolated()
      total += DependencyScope.current.number
    }
    return total
  }
}

nonisolated private enum NumberKey: ResourceKey {
  static let defaultValue = 1
  static func open(_ needs: ResourceOpening) async throws -> Int { 3 }
  static func close(_ value: Int) async {}
}

nonisolated extension Dependencies {
  fileprivate var number: Int {
    get { self[NumberKey.self] }
    set { self[NumberKey.self] = newValue }
  }
}
