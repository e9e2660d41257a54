import ComposableDependencies
import ComposableResources
import ComposableTesting
import Synchronization
import TestSupport
import Testing

/// On the test's executor, where the same number of steps leads to the same place.
@Suite("Cancellation at every step")
struct CancellationSweepTests {
  private func plan(_ world: World) {
    for name in ["A", "B", "C", "D"] {
      world[name].close = {
        await yield(2)
        if Task.isCancelled { world.record("cancelled close of \(name)") }
      }
    }
    world["A"].open = { _ in await yield(2) }
    world["A"].run = {
      await untilCancelled()
      await yield(2)
      world.record("ran A")
    }
    world["B"].open = { needs in
      _ = try await needs(A.self)
      await yield(1)
      try Task.checkCancellation()
      await yield(1)
    }
    world["D"].open = { needs in
      _ = try await needs(B.self)
      _ = try await needs(C.self)
      await yield(2)
    }
  }

  private func steps(_ count: Int, _ world: World) async {
    for _ in 0..<count {
      await yield(1)
      world.record("step, cancelled: \(Task.isCancelled)")
    }
  }

  /// Two lifetimes, a resource on demand, and one that asks while it runs.
  private func program(_ world: World) async throws {
    try await withResources(A.self, B.self) {
      await steps(3, world)
      _ = try await DependencyScope.current.open(C.self)
      try await withResources(D.self) {
        await steps(3, world)
        try Task.checkCancellation()
      }
      await steps(3, world)
    }
  }

  /// Runs the program in a scope made for tests, and cancels it after a number of steps.
  private func run(in world: World, cancellingAfter steps: Int) async -> [String] {
    plan(world)
    await withTaskGroup { group in
      group.addTask {
        do { try await program(world) } catch { #expect(error is CancellationError) }
      }
      await yield(steps)
      group.cancelAll()
    }
    #expect(world.unbalanced == [])
    let events = world.events
    #expect(!events.contains { $0.hasPrefix("cancelled close") })
    let closed = events.filter { $0.hasPrefix("closed") }
    let order = ["closed D1", "closed C1", "closed B1", "closed A1"]
    #expect(closed == order.filter(closed.contains))
    if let close = events.firstIndex(of: "close A1"), let ran = events.firstIndex(of: "ran A") {
      #expect(ran < close)
    }
    return events
  }

  private func run(cancellingAfter steps: Int) async -> [String] {
    let world = World()
    return await withTestDependencies {
      $0.world = world
      $0.opensResourcesInTests = true
    } operation: {
      await run(in: world, cancellingAfter: steps)
    }
  }

  @Test("open resources are closed in order, whichever tasks run first")
  func everySchedule() async throws {
    let traces = Mutex<Set<[String]>>([])
    for steps in stride(from: 0, to: 60, by: 4) {
      try await explore(schedules: 20) {
        await withDependencies {
          $0.world = World()
          $0.opensResourcesInTests = true
        } operation: {
          let events = await run(in: DependencyScope.current.world, cancellingAfter: steps)
          traces.withLock { _ = $0.insert(events) }
        }
      }
    }
    #expect(traces.withLock { $0.count } > (showsYields ? 30 : 1))
  }

  // Swift 6.2 can't ask for the executor that a task prefers.
  #if compiler(>=6.3)
    private static let asksForExecutors = true
  #else
    private static let asksForExecutors = false
  #endif

  @Test("a lifetime's tasks prefer its caller's executor", .enabled(if: asksForExecutors))
  func repeats() async {
    for steps in stride(from: 0, to: 60, by: 7) {
      let first = await run(cancellingAfter: steps)
      for _ in 1...5 {
        let again = await run(cancellingAfter: steps)
        #expect(again == first)
      }
    }
  }
}
