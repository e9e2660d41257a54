internal import Dispatch

extension Crossing {
  package static let actors: [Crossing] = [
    Crossing("a hop to an actor", .kept) { read, values in
      values.add(await Reader().value(of: read))
    },
    Crossing("a hop to an actor and back", .kept) { read, values in
      _ = await Reader().value(of: read)
      values.add(read())
    },
    Crossing("MainActor.run", .kept) { read, values in
      await MainActor.run { values.add(read()) }
    },
    Crossing("a @concurrent function", .kept) { read, values in
      values.add(await concurrently(read))
    },
    Crossing("an actor with a serial executor of its own", .kept) { read, values in
      values.add(await QueueActor().run { _ in read() })
    },
    Crossing("a task executor preference", .kept) { read, values in
      await withTaskExecutorPreference(QueueTaskExecutor()) {
        values.add(await concurrently(read))
      }
    },
    Crossing("a Task {} with an executor preference", .kept) { read, values in
      await Task(executorPreference: QueueTaskExecutor()) {
        values.add(read())
        await Task.yield()
        values.add(read())
      }.value
    },
  ]

  @concurrent
  private static func concurrently(_ read: Read) async -> Int {
    await Task.yield()
    return read()
  }

  private actor Reader {
    func value(of read: Read) -> Int { read() }
  }
}

/// An actor whose jobs run on a dispatch queue, and so outside a test's executor.
package actor QueueActor {
  private let executor = QueueExecutor()
  // Sound: the actor retains the executor.
  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    unsafe executor.asUnownedSerialExecutor()
  }

  private var runs = 0

  package init() {}

  // The optimizer leaves an actor out that does nothing.
  @inline(never)
  package func run<R: Sendable>(
    _ operation: @Sendable (isolated QueueActor) async -> R
  ) async -> R {
    runs += 1
    return await operation(self)
  }
}

/// Runs an actor's jobs one at a time on a dispatch queue.
private final class QueueExecutor: SerialExecutor {
  private let queue = DispatchQueue(label: "actor")

  // Sound: the closure retains the executor that the job runs on.
  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { unsafe job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }
}

/// Runs the jobs of tasks one at a time on a dispatch queue.
final class QueueTaskExecutor: TaskExecutor {
  private let queue = DispatchQueue(label: "task")

  // Sound: the closure retains the executor that the job runs on.
  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }

  /// Waits until the current jobs have run as far as they can.
  func waitForJobs() async {
    await withCheckedContinuation { continuation in
      queue.async { continuation.resume() }
    }
  }
}
