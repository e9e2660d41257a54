/// What a job does.
package enum JobKind: Sendable {
  /// Runs a task.
  case task
  /// Resumes a task that has yielded.
  case yield
  /// Runs the jobs of a default actor.
  case actor
  /// Does something else, such as an isolated `deinit`.
  case other

  package init(_ job: UnownedJob) { self.init(job, .known) }

  init(_ job: UnownedJob, _ layout: RuntimeLayout) {
    self =
      switch jobFlags(job) & 0xFF {
      case layout.task: .task
      case layout.yield: .yield
      case layout.actor: .actor
      default: .other
      }
  }
}
