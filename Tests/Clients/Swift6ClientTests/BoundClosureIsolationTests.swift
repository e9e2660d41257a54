import ComposableDependencies
import Testing

// Compiled by three targets, as `AcceptedClosuresTests` is.

@Suite("Where bound closures run")
nonisolated struct BoundClosureIsolationTests {
  let scope = DependencyScope.root.with(\.bound, 3)

  @Test("a bound asynchronous closure stays on its caller's actor")
  func mainActor() async throws {
    let none = scope.bind { () async in await place(0) }
    let one = scope.bind { (a: Int) async in await place(a) }
    let two = scope.bind { (a: Int, b: Int) async in await place(a + b) }
    let three = scope.bind { (a: Int, b: Int, c: Int) async in await place(a + b + c) }
    let four = scope.bind { (a: Int, b: Int, c: Int, d: Int) async in await place(a + b + c + d) }
    let places = await onMain { [await none(), await one(1), await two(1, 1)] }
    #expect(places == [.onMain(3), .onMain(4), .onMain(5)])
    let more = await onMain { [await three(1, 1, 1), await four(1, 1, 1, 1)] }
    #expect(more == [.onMain(6), .onMain(7)])
    #expect(await none() == .elsewhere(3))
  }

  @Test("a bound asynchronous closure that throws stays on its caller's actor")
  func throwing() async throws {
    let none = scope.bind { () async throws in try await placeOrError(0) }
    let one = scope.bind { (a: Int) async throws in try await placeOrError(a) }
    let places = try await onMain { [try await none(), try await one(1)] }
    #expect(places == [.onMain(3), .onMain(4)])
  }

  @Test("a bound closure that isn't sendable stays on its caller's actor")
  func local() async {
    let counter = Counter()
    let closure: nonisolated(nonsending) () async -> Place = {
      counter.count += 1
      return await place(counter.count)
    }
    #expect(await scope.bind(closure)() == .elsewhere(4))
    await mainActorStays()
  }

  @MainActor
  private func mainActorStays() async {
    let counter = Counter()
    let closure: nonisolated(nonsending) () async -> Place = {
      counter.count += 1
      return await place(counter.count)
    }
    #expect(await scope.bind(closure)() == .onMain(4))
  }

  @Test("a bound closure stays on any actor that calls it")
  func anyActor() async {
    let closure = scope.bind { (owner: Owner) async in
      owner.preconditionIsolated()
      await Task.yield()
      owner.preconditionIsolated()
      return DependencyScope.current.bound
    }
    #expect(await Owner().call(closure) == 3)
  }

  @Test("a bound closure that is declared `@concurrent` leaves its caller's actor")
  func concurrent() async {
    let closure: @concurrent @Sendable () async -> Place = { await place(0) }
    let bound = scope.bind(closure)
    let places = await onMain { [await bound()] }
    #expect(places == [.elsewhere(3)])
  }
}

nonisolated private enum Place: Equatable {
  case onMain(Int), elsewhere(Int)
}

nonisolated(nonsending) private func place(_ number: Int) async -> Place {
  let isOnMain = isOnMain()
  if isOnMain { MainActor.preconditionIsolated() }
  await Task.yield()
  if isOnMain { MainActor.preconditionIsolated() }
  let value = DependencyScope.current.bound + number
  return isOnMain ? .onMain(value) : .elsewhere(value)
}

nonisolated(nonsending) private func placeOrError(_ number: Int) async throws -> Place {
  await place(number)
}

private func isOnMain(_ isolation: isolated (any Actor)? = #isolation) -> Bool {
  isolation === MainActor.shared
}

@MainActor
private func onMain<R: Sendable>(
  _ body: nonisolated(nonsending) () async throws -> R
) async rethrows -> R {
  try await body()
}

nonisolated private final class Counter {
  var count = 0
}

private actor Owner {
  func call(_ closure: nonisolated(nonsending) (Owner) async -> Int) async -> Int {
    await closure(self)
  }
}

nonisolated private enum BoundKey: DependencyKey {
  static let defaultValue = 1
}

nonisolated extension Dependencies {
  fileprivate var bound: Int {
    get { self[BoundKey.self] }
    set { self[BoundKey.self] = newValue }
  }
}
