/// A task that waits to be resumed.
///
/// Not a checked continuation, which would cost more at each step.
// Sound: the code that removes it from the state of a run resumes it, so that happens once.
@safe struct WaitingTask: Sendable {
  private let continuation: UnsafeContinuation<Bool, Never>

  /// Suspends the task until it is resumed.
  ///
  /// - Parameter keep: Stores the waiting task, or returns it to resume it immediately.
  /// - Returns: The value that resumes it.
  static func wait(
    isolation: isolated (any Actor)? = #isolation, _ keep: (WaitingTask) -> Void
  ) async -> Bool {
    await unsafe withUnsafeContinuation { continuation in
      keep(unsafe WaitingTask(continuation: continuation))
    }
  }

  func resume(returning value: Bool) {
    unsafe continuation.resume(returning: value)
  }
}
