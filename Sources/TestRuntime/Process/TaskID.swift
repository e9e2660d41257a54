/// Identifies tasks, among all that the process runs.
package enum TaskID {
  /// The task of a job; meaningless if the job belongs to an actor.
  package static func of(_ job: UnownedJob) -> UInt64 { jobTaskID(job) }

  static func of(_ task: Task<Void, Never>) -> UInt64 {
    // Sound: a `Task` is a reference to a task, which is a job.
    unsafe jobTaskID(unsafeBitCast(task, to: UnownedJob.self))
  }

  /// The running task; 0 outside of tasks.
  package static var current: UInt64 {
    // Sound: the task runs this code. Both are one reference to a task, which is a job.
    unsafe withUnsafeCurrentTask { task in
      guard let task = unsafe task else { return 0 }
      return unsafe jobTaskID(unsafeBitCast(task, to: UnownedJob.self))
    }
  }

  package static var currentName: String? {
    if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) { Task.name } else { nil }
  }
}
