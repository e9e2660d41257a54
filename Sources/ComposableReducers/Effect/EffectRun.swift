/// An asynchronous operation of an effect.
///
/// Its functions are overridden for the type of the actions. Closures that do that would cost
/// allocations, and more memory while the operation runs.
@usableFromInline
class EffectRun: EffectNode, @unchecked Sendable {  // Its subclasses are immutable.
  /// The raw value of a `TaskPriority`.
  ///
  /// A stored `TaskPriority` has a size that is only known at run time, so the runtime would lay out
  /// and copy whatever contains it.
  private final let rawPriority: UInt8?
  final let place: SourceLocation

  @usableFromInline
  init(priority: TaskPriority?, place: SourceLocation) {
    rawPriority = priority?.rawValue
    self.place = place
    super.init()
  }

  final var priority: TaskPriority? { rawPriority.map { TaskPriority(rawValue: $0) } }

  /// Runs the operation, and handles its error.
  func perform(_ sender: EffectSender) async {}

  /// Handles an error that the operation has thrown.
  func handle(_ error: any Error, _ sender: EffectSender) async {}

  /// Makes the task of an effect that consists of this operation.
  func makeTask(for task: EffectTask) -> Task<Void, Never> {
    Task(priority: priority) {
      if !task.isCancelled, let run = task.run {
        await run.perform(task)
        task.end()
      }
      task.finish()
    }
  }

  final func reportUncaught(_ error: any Error) {
    DependencyIssue(
      problem: "An effect threw an error that it doesn't catch: \(error).",
      remedy: "`.run { send in … } catch: { error, send in … }`.",
      fileID: place.fileID,
      line: place.line
    ).report()
  }
}

/// The operation of a `run`.
@usableFromInline
final class SendingRun<Action: Sendable>: EffectRun, @unchecked Sendable {  // Immutable.
  @usableFromInline let operation: @Sendable (Send<Action>) async throws -> Void
  @usableFromInline let handler: (@Sendable (any Error, Send<Action>) async -> Void)?

  @inlinable
  init(
    priority: TaskPriority?, place: SourceLocation,
    operation: @escaping @Sendable (Send<Action>) async throws -> Void,
    handler: (@Sendable (any Error, Send<Action>) async -> Void)?
  ) {
    self.operation = operation
    self.handler = handler
    super.init(priority: priority, place: place)
  }

  override func perform(_ sender: EffectSender) async {
    do {
      try await operation(Send(sender))
    } catch {
      await handle(error, sender)
    }
  }

  // Calls the operation itself: the frame of a function in between would be kept while the operation
  // is suspended.
  override func makeTask(for task: EffectTask) -> Task<Void, Never> {
    Task(priority: priority) {
      if !task.isCancelled {
        do {
          try await Self.operation(of: task)(Send(task))
        } catch {
          await task.handle(error)
        }
        task.end()
      }
      task.finish()
    }
  }

  // Not captured by the closure above, because the effect's end must free it.
  private static func operation(
    of task: EffectTask
  ) -> @Sendable (Send<Action>) async throws -> Void {
    // Sound: the task consists of this run, which makes it.
    unsafe unsafeDowncast(task.run!, to: SendingRun.self).operation
  }

  override func handle(_ error: any Error, _ sender: EffectSender) async {
    if error is CancellationError || sender.isCancelled { return }
    guard let handler else { return reportUncaught(error) }
    await handler(error, Send(sender))
  }
}

/// A pause on a clock.
final class PauseRun<C: Clock>: EffectRun, @unchecked Sendable {  // Immutable.
  private let clock: C
  private let duration: C.Duration

  init(place: SourceLocation, clock: C, duration: C.Duration) {
    self.clock = clock
    self.duration = duration
    super.init(priority: nil, place: place)
  }

  override func perform(_ sender: EffectSender) async {
    try? await clock.sleep(until: clock.now.advanced(by: duration), tolerance: nil)
  }
}
