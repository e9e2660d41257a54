import ComposableResources
import ComposableTesting
import Testing

// Compiled by three targets: with Swift 6's defaults, in Swift 5 mode, and with this package's settings,
// isolated to the main actor by default.

/// Every function that enters a scope accepts what `TaskLocal.withValue` accepts.
@Suite("Closures that functions which enter a scope accept")
nonisolated struct AcceptedClosuresTests {
  private let scope = DependencyScope.root.with(\.number, 2)

  @Test("closures use inout parameters, iterators, noncopyable values and nonsendable objects")
  func captures() async throws {
    var writer: any Writer = Recorder()
    var counter = Counter()
    let results = try await withDependencies {
      $0.opensResourcesInTests = true
    } operation: {
      try await use(&writer, &counter)
    }
    #expect(writer.written == [1, 2, 3, 4, 5])
    #expect(counter.sum == 14)
    #expect(results == [2, 3, 4, 5])
  }

  @concurrent
  private func use(_ writer: inout any Writer, _ counter: inout Counter) async throws -> [Int] {
    let loader = Loader()
    var iterator = AsyncStream { 0 }.map { $0 + DependencyScope.current.number }
      .makeAsyncIterator()
    try await Bare.$number.withValue(1) { try await writer.write(Bare.number) }
    let first = try await scope.run {
      try await writer.write(iterator.next())
      await counter.add()
      await loader.load()
      return await Loader.make()
    }
    let second = try await withDependencies {
      $0.number = 3
    } operation: {
      try await writer.write(iterator.next())
      await counter.add()
      await loader.load()
      return await Loader.make()
    }
    let third = try await withTestDependencies {
      $0.number = 4
    } operation: {
      try await writer.write(iterator.next())
      await counter.add()
      await loader.load()
      return await Loader.make()
    }
    let fourth = try await withResources(NumberKey.self) {
      try await writer.write(iterator.next())
      await counter.add()
      await loader.load()
      return await Loader.make()
    }
    #expect(loader.loaded == [2, 3, 4, 5])
    return first.loaded + second.loaded + third.loaded + fourth.loaded
  }

  @Test("closures on the main actor use inout parameters, local iterators and its objects")
  @MainActor
  func capturesOnTheMainActor() async throws {
    func use(_ writer: inout MainRecorder) async throws {
      let (model, loader) = (MainRecorder.Model(), Loader())
      var iterator = AsyncStream { 0 }.map { $0 + DependencyScope.current.number }
        .makeAsyncIterator()
      try await Bare.$number.withValue(1) { try await writer.write(Bare.number) }
      try await scope.run {
        try await writer.write(iterator.next(isolation: MainActor.shared))
        await model.load()
        loader.loadAtOnce()
        MainActor.assertIsolated()
      }
      try await withDependencies {
        $0.number = 3
      } operation: {
        try await writer.write(iterator.next(isolation: MainActor.shared))
        await model.load()
        loader.loadAtOnce()
      }
      try await withTestDependencies {
        $0.number = 4
      } operation: {
        try await writer.write(iterator.next(isolation: MainActor.shared))
        await model.load()
        loader.loadAtOnce()
      }
      #expect((model.loaded, loader.loaded) == ([2, 3, 4], [2, 3, 4]))
    }
    var writer = MainRecorder()
    try await use(&writer)
    #expect(writer.written == [1, 2, 3, 4])
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
    let sum = try await withDependencies {
      $0.opensResourcesInTests = true
    } operation: {
      try await Accumulator().sum(in: scope)
    }
    #expect(sum == 14)
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

nonisolated private enum Bare {
  @TaskLocal static var number = 0
}

nonisolated private protocol Writer {
  var written: [Int?] { get }
  mutating func write(_ number: Int?) async throws
}

nonisolated private struct Recorder: Writer {
  var written: [Int?] = []

  mutating func write(_ number: Int?) async throws {
    await Task.yield()
    written.append(number)
  }
}

@MainActor
private struct MainRecorder {
  var written: [Int?] = []

  mutating func write(_ number: Int?) async throws {
    await Task.yield()
    written.append(number)
  }

  @MainActor
  final class Model {
    var loaded: [Int] = []

    func load() async {
      await Task.yield()
      loaded.append(DependencyScope.current.number)
    }
  }
}

nonisolated private final class Loader {
  var loaded: [Int] = []

  func load() async { loadAtOnce() }
  func loadAtOnce() { loaded.append(DependencyScope.current.number) }

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
