// What the runtime knows about jobs. The standard library exposes part of that, and only as text.
// These are the only private entry points of the runtime that tests rest on.

@_silgen_name("swift_task_getJobTaskId")
private func jobTaskID(_ job: UnownedJob) -> UInt64

@_silgen_name("swift_task_getJobFlags")
private func jobFlags(_ job: UnownedJob) -> UInt

/// What a job does.
package enum JobKind: Sendable {
  /// Runs a task.
  case task
  /// Resumes a task that has yielded.
  case yield
  /// Runs the jobs of a default actor.
  case actor

  package init(_ job: UnownedJob) {
    // These numbers are a part of the ABI.
    self =
      switch jobFlags(job) & 0xFF {
      case 0: .task
      case 195: .yield
      default: .actor
      }
  }
}

/// Identifies tasks, among all that the process runs.
package enum TaskID {
  /// The task of a job; meaningless if the job belongs to an actor.
  package static func of(_ job: UnownedJob) -> UInt64 { jobTaskID(job) }

  /// The running task; 0 outside of tasks.
  package static var current: UInt64 {
    unsafe withUnsafeCurrentTask { task in
      guard let task = unsafe task else { return 0 }
      // Sound: both are one reference to a task, which is a job.
      return unsafe jobTaskID(unsafeBitCast(task, to: UnownedJob.self))
    }
  }

  package static var currentName: String? {
    if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) { Task.name } else { nil }
  }
}
