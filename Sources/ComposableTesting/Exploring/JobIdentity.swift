// The runtime knows what a job is. The standard library exposes part of that, and only as text.

@_silgen_name("swift_task_getJobTaskId")
private func jobTaskID(_ job: UnownedJob) -> UInt64

@_silgen_name("swift_task_getJobFlags")
private func jobFlags(_ job: UnownedJob) -> UInt

/// The kind of a job.
enum JobKind {
  case task
  /// Resumes a task that has yielded.
  case yield
  /// Runs tasks that wait for a default actor.
  case actor

  init(_ job: UnownedJob) {
    // These numbers are a part of the ABI.
    self =
      switch jobFlags(job) & 0xFF {
      case 0: .task
      case 195: .yield
      default: .actor
      }
  }
}

/// Identifies a task within the process; 0 stands for no task.
enum TaskID {
  static func of(_ job: UnownedJob) -> UInt64 { jobTaskID(job) }

  /// The identity of the running task.
  static var current: UInt64 {
    unsafe withUnsafeCurrentTask { task in
      guard let task = unsafe task else { return 0 }
      // Sound: both are one reference to a task, which is a job.
      return unsafe jobTaskID(unsafeBitCast(task, to: UnownedJob.self))
    }
  }

  /// The name of the running task, if it has one.
  static var currentName: String? {
    if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) { Task.name } else { nil }
  }
}
