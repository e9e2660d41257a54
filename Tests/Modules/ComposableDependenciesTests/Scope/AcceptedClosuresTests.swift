import ComposableDependencies
import Testing

// Compiled by three targets: with Swift 6's defaults, with this package's settings, and isolated to
// the main actor by default.

/// Every function that enters a scope accepts what `TaskLocal.withValue` accepts.
@Suite("Closures that a scope's functions accept")
nonisolated struct AcceptedClosuresTests {
  let scope = DependencyScope.root.with(\.accepted, 3)

  @Test("a closure passes an inout argument on to an asynchronous method")
  func inoutArguments() async throws {
    let bodies: [Body] = [
      { [scope] writer in try await scope.run { try await writer.write() } },
      { writer in
        try await withDependencies {
          $0.accepted = 4
        } operation: {
          try await writer.write()
        }
      },
    ]
    var written: [Int] = []
    for body in bodies {
      var writer: any Writer = Recorder()
      try await body(&writer)
      written += writer.written
    }
    #expect(written == [3, 4])
  }

  @Test("a closure advances a local iterator")
  func iterators() async {
    var iterator = numbers.makeAsyncIterator()
    let first = await scope.run { await iterator.next() }
    let second = await withDependencies {
      $0.accepted = 4
    } operation: {
      await iterator.next()
    }
    #expect((first, second) == (3, 4))
  }

  private var numbers: AsyncMapSequence<AsyncStream<Int>, Int> {
    let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
    continuation.yield(0)
    continuation.yield(0)
    return stream.map { $0 + DependencyScope.current.accepted }
  }

  @Test("a closure calls a nonisolated method of an object that isn't sendable")
  func objects() async {
    let loader = Loader()
    await scope.run { await loader.load() }
    await withDependencies {
      $0.accepted = 4
    } operation: {
      await loader.load()
    }
    #expect(loader.loaded == [3, 4])
  }

  @Test("a closure changes a noncopyable value")
  func noncopyableValues() async {
    var counter = Counter()
    await scope.run { await counter.add() }
    await withDependencies {
      $0.accepted = 4
    } operation: {
      await counter.add()
    }
    #expect(counter.sum == 7)
  }

  @Test("a closure changes an inout parameter of the function around it")
  func inoutParameters() async {
    func change(_ number: inout Int) async {
      await scope.run {
        await Task.yield()
        number += DependencyScope.current.accepted
      }
      await withDependencies {
        $0.accepted = 4
      } operation: {
        await Task.yield()
        number += DependencyScope.current.accepted
      }
    }
    var number = 1
    await change(&number)
    #expect(number == 8)
  }

  @Test("a closure returns a value that isn't sendable")
  func results() async {
    let made = await scope.run { await Loader.make() }
    let other = await withDependencies {
      $0.accepted = 4
    } operation: {
      await Loader.make()
    }
    #expect(made.loaded + other.loaded == [3, 4])
  }

  @Test("a closure throws the type of error that it declares")
  func typedErrors() async {
    func run() async throws(Failure) {
      try await scope.run { () async throws(Failure) in try await fail() }
    }
    func override() async throws(Failure) {
      try await withDependencies {
        $0.accepted = 4
      } operation: { () async throws(Failure) in
        try await fail()
      }
    }
    func fail() async throws(Failure) {
      throw Failure(number: DependencyScope.current.accepted)
    }
    do throws(Failure) {
      try await run()
    } catch {
      #expect(error.number == 3)
    }
    do throws(Failure) {
      try await override()
    } catch {
      #expect(error.number == 4)
    }
  }

  @Test("a closure written on an actor stays on it")
  func actors() async {
    let sum = await Accumulator().sum(in: scope)
    #expect(sum == 7)
    await mainActorStays()
  }

  @MainActor
  private func mainActorStays() async {
    let loader = Loader()
    await scope.run {
      MainActor.assertIsolated()
      await Task.yield()
      MainActor.assertIsolated()
      loader.loaded.append(1)
    }
    await withDependencies {
      $0.accepted = 4
    } operation: {
      await Task.yield()
      MainActor.assertIsolated()
      loader.loaded.append(2)
    }
    #expect(loader.loaded == [1, 2])
  }
}

private typealias Body = @Sendable @concurrent (inout any Writer) async throws -> Void

nonisolated private protocol Writer {
  var written: [Int] { get }
  mutating func write() async throws
}

nonisolated private struct Recorder: Writer {
  var written: [Int] = []

  mutating func write() async throws { written.append(DependencyScope.current.accepted) }
}

nonisolated private final class Loader {
  var loaded: [Int] = []

  func load() async { loaded.append(DependencyScope.current.accepted) }

  static func make() async -> sending Loader {
    let loader = Loader()
    loader.loaded.append(DependencyScope.current.accepted)
    return loader
  }
}

nonisolated private struct Counter: ~Copyable {
  var sum = 0

  mutating func add() async { sum += DependencyScope.current.accepted }
}

nonisolated private struct Failure: Error {
  let number: Int
}

private actor Accumulator {
  var sum = 0

  func sum(in scope: DependencyScope) async -> Int {
    await scope.run {
      preconditionIsolated()
      sum += DependencyScope.current.accepted
      await Task.yield()
      preconditionIsolated()
    }
    await withDependencies {
      $0.accepted = 4
    } operation: {
      await Task.yield()
      sum += DependencyScope.current.accepted
    }
    return sum
  }
}

nonisolated private enum AcceptedKey: DependencyKey {
  static let defaultValue = 1
}

nonisolated extension Dependencies {
  fileprivate var accepted: Int {
    get { self[AcceptedKey.self] }
    set { self[AcceptedKey.self] = newValue }
  }
}
