import ComposableTesting
import Dispatch
import Synchronization

/// Explored schedules of a test, a step of which is compared to a job on a plain executor.
extension Catalog {
  static let exploring = [
    Benchmark(
      "limits/explored-step", "a step of an explored schedule",
      against: "a job on a plain serial TaskExecutor", limit: 3
    ) {
      let executor = SerialTaskExecutor()
      return Benchmark.Subject(
        // Both run for about as long, so that a loaded machine interrupts both as often.
        operation: exploring(steps: 1_000) { await yield(1_000, in: 10) },
        yardstick: Workload(
          each: 1_000,
          suspending: {
            await Task(executorPreference: executor) { await yield(1_000, in: 10) }.value
          }))
    },
    Benchmark(
      "limits/explored-many", "a step of an explored schedule among 10,000 ready jobs",
      against: "one among 100", limit: 2
    ) {
      Benchmark.Subject(
        operation: exploring(steps: 10_000) { await yield(10_000, in: 10_000) },
        yardstick: exploring(steps: 10_000) {
          for _ in 0..<100 { await yield(100, in: 100) }
        })
    },
    Benchmark(
      "limits/explored-main-actor", "a call of the main actor in an explored schedule",
      against: "a call of an actor that other tasks use, there", limit: 3
    ) {
      let (mainActor, counter) = (MainActorCounter(), Counter())
      return Benchmark.Subject(
        operation: exploring { await mainActor.add() }, yardstick: exploring { await counter.add() }
      )
    },
  ]

  /// Explores schedules in which ten tasks repeat a call a hundred times.
  private static func exploring(_ call: @escaping @Sendable () async -> Void) -> Workload {
    exploring(steps: 1_000) {
      await withDiscardingTaskGroup { group in
        for _ in 0..<10 {
          group.addTask {
            for _ in 0..<100 {
              await Task.yield()
              await call()
            }
          }
        }
      }
    }
  }

  private static func exploring(
    steps: Int, _ test: @escaping @Sendable () async -> Void
  ) -> Workload {
    Workload(
      each: steps, suspending: { _ = try? await explore(schedules: 1, seed: 1) { await test() } })
  }

  private static func yield(_ count: Int, in tasks: Int) async {
    await withDiscardingTaskGroup { group in
      for _ in 0..<tasks {
        group.addTask { for _ in 0..<count / tasks { await Task.yield() } }
      }
    }
  }
}

private actor Counter {
  private var count = 0
  func add() { count += 1 }
}

@MainActor
private final class MainActorCounter: Sendable {
  private var count = 0
  nonisolated init() {}
  func add() { count += 1 }
}

/// A typical serial executor: a locked list of jobs, which a queue runs one at a time.
private final class SerialTaskExecutor: TaskExecutor {
  private let state = Mutex((jobs: [UnownedJob](), isRunning: false))
  private let queue = DispatchQueue(label: "SerialTaskExecutor")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let isFirst = state.withLock { state in
      state.jobs.append(job)
      defer { state.isRunning = true }
      return !state.isRunning
    }
    if isFirst { queue.async { self.run() } }
  }

  private func run() {
    while true {
      let jobs = state.withLock { state in
        defer { state.jobs = [] }
        state.isRunning = !state.jobs.isEmpty
        return state.jobs
      }
      if jobs.isEmpty { return }
      // Sound: the closure that runs this retains the executor.
      for job in jobs { unsafe job.runSynchronously(on: asUnownedTaskExecutor()) }
    }
  }
}
