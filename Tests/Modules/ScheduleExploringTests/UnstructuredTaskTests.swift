import ComposableReducers
import StandardDependencies
import Synchronization
import TestSupport
import Testing

@testable import ComposableTesting
@testable import ScheduleExploring
@testable import TestRuntime

@Suite("Unstructured tasks of an explored test")
struct UnstructuredTaskTests {
  /// Adds 1 to a number, and loses the update if another task adds at the same time.
  private static func add(to number: Shared<Int>) async {
    let value = number.value
    await Task.yield()
    number.update { $0 = value + 1 }
  }

  private static func lostUpdate(
    _ start: @escaping @Sendable (@escaping @Sendable () async -> Void) -> Task<Void, Never>
  ) -> ScheduleRunner {
    ScheduleRunner([]) {
      let number = Shared(0)
      let tasks = (0..<2).map { _ in start { await add(to: number) } }
      for task in tasks { await task.value }
      try require(number.value == 2, "the number is \(number.value)")
    }
  }

  @Test("lose an update in some order, and never leave the executor", .needsWholeSight)
  func lostUpdate() async throws {
    for runner in [
      Self.lostUpdate { operation in Task { await operation() } },
      Self.lostUpdate { operation in Task.detached { await operation() } },
    ] {
      let found = try #require(
        await runner.search(1_000).finding,
        "Does the runtime still call swift_task_enqueueGlobal_hook?")
      #expect(found.result.findings.outsideCount == 0)
      for _ in 0..<10 {
        #expect(await runner.traced(found.result.schedule).isSame(as: found.result))
      }
    }
  }

  @Test("that end before they are awaited run in every order", .needsWholeSight)
  func endedBefore() async throws {
    let (orders, exploration) = try await explored {
      let order = Shared("")
      let tasks = ["a", "b"].map { name in Task { order.update { $0 += name } } }
      await yield(4)
      for task in tasks { await task.value }
      return order.value
    }
    #expect(orders == ["ab", "ba"] && exploration.isExhaustive)
  }

  @Test("may sleep, call actors, start child tasks and await one another there")
  func everything() async throws {
    actor Numbers {
      var sum = 0

      func add(_ number: Int) { sum += number }
    }
    let runner = ScheduleRunner([]) {
      let numbers = Numbers()
      let first = Task {
        try await sleep(.seconds(1))
        await numbers.add(1)
      }
      let second = Task.detached(in: .current) {
        async let child: Void = numbers.add(2)
        try await first.value
        await child
        await numbers.add(4)
      }
      try await second.value
      try await require(numbers.sum == 7, "the sum is \(numbers.sum)")
      try require(secondsPassed == 1, "\(secondsPassed)")
    }
    let exploration = try #require(await runner.search(200).exploration)
    #expect(exploration.stepsFromOutside == [])
  }

  @Test("can be shared by the callers of an actor, in each order of their jobs", .needsWholeSight)
  func sharedTask() async throws {
    actor Cache {
      private var refresh: Task<Int, Never>?
      private(set) var count = 0

      func value() async -> Int {
        if let refresh { return await refresh.value }
        let task = Task { load() }
        refresh = task
        return await task.value
      }

      private func load() -> Int {
        count += 1
        return 7
      }
    }
    let runner = ScheduleRunner([]) {
      let cache = Cache()
      async let first = cache.value()
      async let second = cache.value()
      let values = await [first, second]
      let count = await cache.count
      try require(values == [7, 7] && count == 1, "\(values), \(count)")
    }
    let exploration = try #require(await runner.search(2_000).exploration)
    #expect(exploration.isExhaustive, "\(exploration) \(exploration.stepsFromOutside)")
    let first = await runner.traced(.plain)
    for _ in 0..<20 { #expect(await runner.traced(.plain).isSame(as: first)) }
  }

  @Test("that outlive the body run in any order", .needsWholeSight)
  func leftBehind() async throws {
    let orders = Shared<Set<String>>([])
    let exploration = try await explore {
      let order = Shared("")
      for name in ["a", "b"] {
        Task {
          order.update { $0 += name }
          await Task.yield()
          order.update { $0 += name }
          if order.value.count == 4 { orders.update { $0.insert(order.value) } }
        }
      }
    }
    #expect(orders.value == ["aabb", "abab", "abba", "baab", "baba", "bbaa"])
    #expect(exploration.isExhaustive, "\(exploration)")
  }

  @Test("that outlive the body and resume a task outside leave the schedule", .needsYields)
  func leftBehindOutside() async {
    let gate = Gate()
    let older = Task.detached { await gate.wait() }
    await gate.waitForArrivals()
    let result = await ScheduleRunner([]) {
      Task {
        await Task.yield()
        gate.open()
      }
    }.traced(.plain)
    #expect(result.findings.outsideCount > 0)
    await older.value
  }

  @Test("that outlive the body for many steps are left alone, and named", .needsWholeSight)
  func leftBehindForLong() async throws {
    let runner = ScheduleRunner([]) { Task { for _ in 0..<2_000 { await Task.yield() } } }
    let exploration = try #require(await runner.search(100).exploration)
    #expect(!exploration.isExhaustive)
    let step = "task 1 still runs 1,000 steps after the test's body has ended"
    #expect(exploration.stepsFromOutside.last?.hasSuffix(step) == true, "\(exploration)")
  }

  @Test("come back to the schedule when something outside resumes them")
  func resumedElsewhere() async throws {
    let areBack = Shared<[Bool]>([])
    let runner = ScheduleRunner([]) {
      let run = JobOrder.explored
      let task = Task.detached {
        try? await Task.sleep(for: .milliseconds(50))
        areBack.update { $0.append(RunningExecutors.shared.current?.order === run) }
      }
      await task.value
    }
    let exploration = try #require(await runner.search(10).exploration)
    #expect(!exploration.isExhaustive)
    #expect(exploration.stepsFromOutside.count == 1, "\(exploration.stepsFromOutside)")
    #expect(areBack.value == [true, true])
  }

  @Test("go on after the end of their schedule")
  func afterTheEnd() async throws {
    let (gate, signal) = (Gate(), Signal())
    let runner = ScheduleRunner([]) {
      Task.detached {
        await gate.wait()
        await Task { signal.raise() }.value
      }
      await Task.yield()
    }
    #expect(await runner.traced(.plain).failures.isEmpty)
    gate.open()
    #expect(await signal.wait(atMost: .seconds(600)))
  }

  private struct WeakRun {
    weak let run: JobOrder?
  }

  private static let counter = Reducer<Int, Bool, Void> { state, hasEffect, _ in
    state += 1
    return hasEffect ? .run { await $0(false) } : .none
  }

  @Test("are forgotten with their schedules", .needsYields, .timeLimit(.minutes(10)))
  func released() async throws {
    let runs = Shared<[WeakRun]>([])
    func explore() async -> Exploration? {
      await ScheduleRunner([]) {
        runs.update { $0.append(WeakRun(run: .explored)) }
        for _ in 0..<3 { await Task.detached { await Task.yield() }.value }
        let store = TestStore(initialState: 0, reducer: Self.counter, environment: ())
        await store.send(true) { $0 = 1 }
        await store.receive(false) { $0 = 2 }
        await store.finish()
      }.search(20).exploration
    }
    let exploration = try #require(await explore())
    #expect(exploration.stepsFromOutside == [] && runs.value.count >= exploration.schedules)
    // The thread of the last one may not have let go of it yet.
    while runs.value.contains(where: { $0.run != nil }) { await Task.yield() }
  }

  @Test(
    "belong to the schedule that has created them, of those that run at the same time", .needsYields
  )
  func concurrent() async throws {
    let explorations = await withTaskGroup { group in
      for number in 0..<8 {
        group.addTask {
          await ScheduleRunner([]) {
            if number == 0 { await QueueActor().run { _ in } }
            let tasks = (0..<3).map { _ in Task.detached { await Task.yield() } }
            for task in tasks { await task.value }
          }.search(50).exploration
        }
      }
      return await group.reduce(into: [Exploration?]()) { $0.append($1) }
    }
    #expect(explorations.count { $0?.stepsFromOutside == [] } == 7, "\(explorations)")
  }

  @Test(
    "are none of a test of child tasks, actors, clocks and a store, which runs in every order",
    .needsWholeSight)
  func none() async throws {
    let reducer = Reducer<Int, Bool, Void> { state, isStart, _ in
      state += 1
      return isStart ? .run { send in await send(false) } : .none
    }
    let runner = ScheduleRunner([]) {
      let lock = AsyncLock()
      async let child: Void = lock.lock()
      try await sleep(.seconds(1))
      await child
      let store = TestStore(initialState: 0, reducer: reducer, environment: ())
      await store.send(true) { $0 = 1 }
      await store.receive(false) { $0 = 2 }
      await store.finish()
    }
    let exploration = try #require(await runner.search(1_000).exploration)
    #expect(exploration.isExhaustive, "\(exploration) \(exploration.stepsFromOutside)")
  }
}
