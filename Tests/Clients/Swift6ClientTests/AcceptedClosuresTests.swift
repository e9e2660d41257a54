import ComposableResources
import ComposableTesting
import Testing

// Compiled by three targets: with Swift 6's defaults, in Swift 5 mode, and with this package's settings,
// isolated to the main actor by default.

/// Every function that enters a scope accepts what `TaskLocal.withValue` accepts.
@Suite("Closures that functions which enter a scope accept")
nonisolated struct AcceptedClosuresTests {
  private let scope = DependencyScope.root.with(\.number, 2)

  @Test("a closure passes an inout argument on to an asynchronous method")
  func inoutArguments() async throws {
    let bodies: [@Sendable @concurrent (inout any Writer) async throws -> Void] = [
      { [scope] writer in try await scope.run { try await writer.write() } },
      { writer in
        try await withDependencies({ $0.number = 3 }, operation: { try await writer.write() })
      },
      { writer in
        try await withTestDependencies({ $0.number = 4 }, operation: { try await writer.write() })
      },
      { writer in try await withResources(NumberKey.self) { try await writer.write() } },
    ]
    var written: [Int] = []
    for body in bodies {
      var writer: any Writer = Recorder()
      try await body(&writer)
      written += writer.written
    }
    #expect(written == [2, 3, 4, 5])
  }

  @Test("a closure advances a local iterator")
  func iterators() async throws {
    let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
    for _ in 0..<4 { continuation.yield(0) }
    var iterator = stream.map { $0 + DependencyScope.current.number }.makeAsyncIterator()
    let first = await scope.run { await iterator.next() }
    let second = await withDependencies({ $0.number = 3 }, operation: { await iterator.next() })
    let third = await withTestDependencies({ $0.number = 4 }, operation: { await iterator.next() })
    let fourth = try await withResources(NumberKey.self) { await iterator.next() }
    #expect([first, second, third, fourth] == [2, 3, 4, 5])
  }

  @Test("a closure calls a nonisolated method of an object that isn't sendable")
  func objects() async throws {
    let loader = Loader()
    await scope.run { await loader.load() }
    await withDependencies({ $0.number = 3 }, operation: { await loader.load() })
    await withTestDependencies({ $0.number = 4 }, operation: { await loader.load() })
    try await withResources(NumberKey.self) { await loader.load() }
    #expect(loader.loaded == [2, 3, 4, 5])
  }

  @Test("a closure changes a noncopyable value")
  func noncopyableValues() async throws {
    var counter = Counter()
    await scope.run { await counter.add() }
    await withDependencies({ $0.number = 3 }, operation: { await counter.add() })
    await withTestDependencies({ $0.number = 4 }, operation: { await counter.add() })
    try await withResources(NumberKey.self) { await counter.add() }
    #expect(counter.sum == 14)
  }

  @Test("a closure changes an inout parameter of the function around it")
  func inoutParameters() async throws {
    func change(_ number: inout Int) async throws {
      await scope.run {
        await Task.yield()
        number += DependencyScope.current.number
      }
      await withDependencies {
        $0.number = 3
      } operation: {
        await Task.yield()
        number += DependencyScope.current.number
      }
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
    #expect(number == 15)
  }

  @Test("a closure returns a value that isn't sendable")
  func results() async throws {
    let first = await scope.run { await Loader.make() }
    let second = await withDependencies({ $0.number = 3 }, operation: { await Loader.make() })
    let third = await withTestDependencies({ $0.number = 4 }, operation: { await Loader.make() })
    let fourth = try await withResources(NumberKey.self) { await Loader.make() }
    #expect(first.loaded + second.loaded + third.loaded + fourth.loaded == [2, 3, 4, 5])
  }

  @Test("a closure throws the type of error that it declares")
  func typedErrors() async {
    func fail() async throws(Rejection) {
      throw Rejection(number: DependencyScope.current.number)
    }
    do throws(Rejection) {
      try await scope.run { () async throws(Rejection) in try await fail() }
    } catch {
      #expect(error.number == 2)
    }
    do throws(Rejection) {
      try await withDependencies {
        $0.number = 3
      } operation: { () async throws(Rejection) in
        try await fail()
      }
    } catch {
      #expect(error.number == 3)
    }
    do throws(Rejection) {
      try await withTestDependencies {
        $0.number = 4
      } operation: { () async throws(Rejection) in
        try await fail()
      }
    } catch {
      #expect(error.number == 4)
    }
  }

  @Test("a closure written on an actor stays on it")
  func actors() async throws {
    #expect(try await Accumulator().sum(in: scope) == 14)
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

  func sum(in scope: DependencyScope) async throws -> Int {
    await scope.run {
      preconditionIsolated()
      total += DependencyScope.current.number
      await Task.yield()
      preconditionIsolated()
    }
    await withDependencies {
      $0.number = 3
    } operation: {
      await Task.yield()
      preconditionIsolated()
      total += DependencyScope.current.number
    }
    await withTestDependencies {
      $0.number = 4
    } operation: {
      await Task.yield()
      preconditionIsolated()
      total += DependencyScope.current.number
    }
    try await withResources(NumberKey.self) {
      await Task.yield()
      preconditionIsolated()
      total += DependencyScope.current.number
    }
    return total
  }
}

nonisolated private enum NumberKey: ResourceKey {
  static let defaultValue = 1
  static func open(_ needs: ResourceOpening) async throws -> Int { 5 }
  static func close(_ value: Int) async {}
}

nonisolated extension Dependencies {
  fileprivate var number: Int {
    get { self[NumberKey.self] }
    set { self[NumberKey.self] = newValue }
  }
}
