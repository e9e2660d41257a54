import ComposableReducers
import StandardDependencies
import TestSupport
import Testing

@testable import ComposableTesting
@testable import ScheduleExploring
@testable import TestRuntime

private actor Diary {
  private(set) var lines: [String] = []

  func add(_ line: String) { lines.append(line) }

  func steps(_ log: Shared<String>, _ name: String) async {
    log.update { $0 += name }
    await Task.yield()
    log.update { $0 += name }
  }
}

/// An actor on a test's executor, like a test's store.
private actor Hosted {
  private let executor: TestExecutor
  private var isBusy = false
  private(set) var overlaps = 0

  nonisolated var unownedExecutor: UnownedSerialExecutor {
    // Sound: the actor retains its executor.
    unsafe executor.asUnownedSerialExecutor()
  }

  init(on executor: TestExecutor) { self.executor = executor }

  /// Makes a task ready in the middle of what nobody may interrupt.
  func start() {
    if isBusy { overlaps += 1 }
    isBusy = true
    Task(executorPreference: executor) {}
    isBusy = false
  }
}

private actor Other {
  func visit() {}
}

/// A task that takes two steps, each of which writes its name.
private func steps(_ log: Shared<String>, _ name: String) async {
  log.update { $0 += name }
  await Task.yield()
  log.update { $0 += name }
}

/// Creates tasks that take two steps each, in one of several ways.
private enum Kind: CaseIterable {
  case group, asyncLet, unstructured, concurrent, detached, mainActor, onMainActor
  case ownActor, childOnOwnActor

  func run(_ log: Shared<String>) async {
    switch self {
    case .group:
      await withDiscardingTaskGroup { group in
        for name in ["a", "b"] { group.addTask { await steps(log, name) } }
      }
    case .asyncLet:
      async let first: Void = steps(log, "a")
      async let second: Void = steps(log, "b")
      _ = await (first, second)
    case .unstructured: for name in ["a", "b"] { Task { await steps(log, name) } }
    case .concurrent: for name in ["a", "b"] { Task { @concurrent in await steps(log, name) } }
    case .detached: for name in ["a", "b"] { Task.detached { await steps(log, name) } }
    case .mainActor: for name in ["a", "b"] { Task { @MainActor in await steps(log, name) } }
    case .onMainActor:
      await MainActor.run { for name in ["a", "b"] { Task { await steps(log, name) } } }
    case .ownActor:
      for name in ["a", "b"] {
        let diary = Diary()
        Task { await diary.steps(log, name) }
      }
    case .childOnOwnActor:
      await withDiscardingTaskGroup { group in
        for name in ["a", "b"] {
          let diary = Diary()
          group.addTask { await diary.steps(log, name) }
        }
      }
    }
  }
}

/// What a task does outside of actors, so that it leaves one before it enters the next.
private func between(_ calls: Shared<Int>) { calls.update { $0 += 1 } }

@Suite("Steps of a schedule (rule 37)", .tooLongUnderSanitizers)
struct StepTests {
  @Test(
    "rule 37: two tasks of two steps have six orders, of whichever kind", .needsWholeSight,
    arguments: Kind.allCases)
  private func kinds(_ kind: Kind) async throws {
    let orders = Shared<[String]>([])
    let exploration = try await explore {
      let log = Shared("")
      await kind.run(log)
      while log.value.count < 4 { try await sleep(.seconds(1)) }
      orders.update { $0.append(log.value) }
    }
    #expect(Set(orders.value) == ["aabb", "abab", "abba", "baab", "baba", "bbaa"])
    // Otherwise, the test itself takes steps between those of the tasks.
    if [.group, .childOnOwnActor].contains(kind) { #expect(exploration.schedules == 6) }
    #expect(exploration.isExhaustive, "\(exploration)")
  }

  @Test(
    "rule 37: a body that returns leaves its tasks as many orders as they have", .needsWholeSight)
  func returned() async throws {
    let log = Shared("")
    let texts = [
      "\(try await explore { for _ in 0..<2 { Task { await steps(log, "a") } } })",
      "\(try await explore { @MainActor in for _ in 0..<2 { Task { await steps(log, "a") } } })",
    ]
    #expect(texts.allSatisfy { $0.hasPrefix("all 6 orders") }, "\(texts)")
  }

  @Test(
    "rule 37: unstructured tasks that use one actor end, and lose an update in some order",
    .needsWholeSight)
  func lostUpdate() async throws {
    let (results, exploration) = try await explored {
      let diary = Diary()
      let tasks = ["a", "b"].map { name in
        Task {
          let count = await diary.lines.count
          await diary.add("\(count)")
        }
      }
      for task in tasks { await task.value }
      return await diary.lines
    }
    #expect(results == [["0", "1"], ["0", "0"]])
    #expect(exploration.isExhaustive, "\(exploration)")
  }

  private enum Action: Sendable { case start, found(Int) }

  @Test("rule 37: a store whose effects answer side by side ends")
  func store() async throws {
    let search = interleaved(named: "search") { (query: Int) in query }
    let reducer = Reducer<[Int], Action, Int> { state, action, _ in
      switch action {
      case .start:
        return .merge(
          .run { send in await send(.found(await search(1))) },
          .run { send in await send(.found(await search(2))) })
      case .found(let number):
        state.append(number)
        return .none
      }
    }
    let (results, _) = try await explored {
      let store = Store(initialState: [], reducer: reducer, environment: 0)
      await store.send(.start).finish()
      return await store.state
    }
    #expect(results == [[1, 2], [2, 1]])
  }

  @Test("rule 37: a task that sleeps in a loop, and outlives its schedule, rests", .needsWholeSight)
  func poller() async throws {
    let ticks = Shared(0)
    let exploration = try await explore {
      let clock = DependencyScope.current.continuousClock
      Task {
        while !Task.isCancelled {
          try? await clock.sleep(for: .seconds(1))
          ticks.update { $0 += 1 }
        }
      }
      await Task.yield()
    }
    #expect(exploration.isExhaustive)
    // Each of the few runs lets a task that ignores errors sleep a thousand times.
    for _ in 0..<1_000 { await Task.yield() }
    #expect(ticks.value < 20_000)
  }

  @Test("rule 37: a child overtakes the task that creates it, on the way to an actor")
  func overtaken() async throws {
    let bodies: [@Sendable (Diary) async -> Void] = [
      { diary in
        async let child: Void = diary.add("child")
        await diary.add("creator")
        await child
      },
      { diary in
        let child = Task { await diary.add("child") }
        await diary.add("creator")
        await child.value
      },
      { diary in
        await withTaskGroup(of: Void.self) { group in
          group.addTask { await diary.add("child") }
          await diary.add("creator")
        }
      },
      { diary in
        let (gate, open) = AsyncStream<Int>.makeStream()
        let task = Task {
          for await _ in gate { break }
          await diary.add("child")
        }
        for _ in 0..<3 { await Task.yield() }
        open.yield(1)
        await diary.add("creator")
        await task.value
      },
    ]
    for body in bodies {
      let (results, _) = try await explored {
        let diary = Diary()
        await body(diary)
        return await diary.lines
      }
      #expect(results == [["child", "creator"], ["creator", "child"]])
    }
  }

  @Test("rule 37: no job enters an actor on the test's executor while an overtaken one is there")
  func overtakenOnExecutor() async throws {
    let overlaps = Shared(0)
    let runner = ScheduleRunner([]) {
      let hosted = Hosted(on: TestRun.running.executor)
      await withDiscardingTaskGroup { group in
        for _ in 0..<3 { group.addTask { await hosted.start() } }
      }
      let count = await hosted.overlaps
      overlaps.update { $0 += count }
    }
    // In random schedules, because others don't notice that a job is overtaken there.
    for number in 0..<200 {
      let order = UniformOrder(numbers: SplitMix64(seed: 0, number: number))
      #expect(await runner.run(order, seed: 0).failures.isEmpty)
    }
    #expect(overlaps.value == 0)
  }

  @Test(
    "rule 37: unstructured tasks overtake each other wherever they leave an actor", .needsWholeSight
  )
  func twoActors() async throws {
    let (results, exploration) = try await explored {
      let (diary, other, calls) = (Diary(), Other(), Shared(0))
      let tasks = ["a", "b"].map { name in
        Task {
          await diary.add(name)
          between(calls)
          await other.visit()
          between(calls)
          await diary.add(name)
        }
      }
      for task in tasks { await task.value }
      return await diary.lines.joined()
    }
    #expect(results == ["aabb", "abab", "abba", "baab", "baba", "bbaa"])
    #expect(exploration.isExhaustive, "\(exploration)")
  }

  @Test(
    "a task that yields after it has called an actor has its place in a test's order", .needsYields)
  func yieldAfterActor() async throws {
    let orders = Shared<Set<String>>([])
    for _ in 0..<100 {
      await withTestDependencies {
        let other = Other()
        let log = Shared("")
        let task = Task {
          await other.visit()
          await Task.yield()
          log.update { $0 += "task " }
        }
        for _ in 0..<4 { await Task.yield() }
        log.update { $0 += "test " }
        await task.value
        orders.update { $0.insert(log.value) }
      }
    }
    #expect(orders.value.count == 1, "\(orders.value)")
  }
}
