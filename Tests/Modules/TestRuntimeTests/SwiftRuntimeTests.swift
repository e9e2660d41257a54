import Synchronization
import Testing

@testable import TestRuntime

/// If one of these fails with a new toolchain, what is in `Process/` must follow the runtime.
@Suite("What tests rest on in the runtime")
struct SwiftRuntimeTests {
  private final class Recorder: TaskExecutor {
    let jobs = Mutex<[(kind: JobKind, task: UInt64)]>([])

    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      jobs.withLock { $0.append((JobKind(job), TaskID.of(job))) }
      // Sound: the test retains the executor.
      unsafe job.runSynchronously(on: asUnownedTaskExecutor())
    }
  }

  private actor Worker {
    func work() {}
  }

  @Test(
    "the runtime tells a task's jobs, its yields and an actor's jobs apart: `swift_task_getJobFlags`"
  )
  func kinds() async {
    let recorder = Recorder()
    await Task(executorPreference: recorder) {
      await Task.yield()
      await Worker().work()
    }.value
    let kinds = recorder.jobs.withLock { $0.map(\.kind) }
    #expect(kinds.first == .task, "the first job of a task isn't known as one: \(kinds)")
    #expect(kinds.dropFirst().first == .yield, "a yield isn't known as one: \(kinds)")
  }

  @Test("the runtime numbers tasks: `swift_task_getJobTaskId`")
  func tasks() async {
    let recorder = Recorder()
    let ids = Mutex<[UInt64]>([])
    for _ in 0..<2 {
      let task = Task(executorPreference: recorder) { TaskID.current }
      let id = await task.value
      ids.withLock { $0.append(id) }
    }
    let (jobs, tasks) = (recorder.jobs.withLock { $0.map(\.task) }, ids.withLock { $0 })
    #expect(jobs == tasks, "the number of a job's task isn't that of the running task")
    #expect(Set(tasks).count == 2 && !tasks.contains(0), "two tasks have one number: \(tasks)")
    #expect(TaskID.current != 0)
    #expect(await Task { TaskID.current }.value != TaskID.current)
  }
}
