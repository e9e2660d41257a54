/// What a test's executor does next.
package enum TestStep: Sendable {
  case run(TestJob)
  case call(@Sendable () -> Void)
  /// Resumes a thread whose job has been overtaken, and which runs what is next from then on.
  case resume(OvertakenJob)

  /// Whether the step runs on the main actor; `nil` if it may, because it only resumes a task.
  var isOnMainActor: Bool? {
    if case .run(let job) = self, job.kind != .yield { job.place == .mainActor } else { nil }
  }
}
