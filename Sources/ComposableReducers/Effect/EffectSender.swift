internal import Synchronization

/// What one operation of an effect sends with: the task of the effect itself, if the operation is all
/// that the task does.
@usableFromInline
class EffectSender: @unchecked Sendable {  // Its subclasses are Sendable; it adds an atomic.
  private let hasEnded = Atomic(false)

  var task: EffectTask { preconditionFailure("A subclass knows its task.") }
  /// Whether nothing that it sends is reduced any more.
  var isCancelled: Bool { task.isCancelled }
  /// The innermost last.
  var maps: [ActionMap] { [] }
  var place: SourceLocation? { nil }

  /// Records that the operation has returned.
  func end() {
    hasEnded.store(true, ordering: .releasing)
  }

  func send(_ action: any Sendable) async {
    guard !task.isCancelled else { return }
    if hasEnded.load(ordering: .acquiring) { reportLateAction(action) }
    await task.context.runner.deliver(EffectDelivery(.action(maps.apply(action)), from: task))
  }

  /// Runs a part of the operation in a task that an identifier cancels.
  ///
  /// Returns `nil` if it was cancelled before it started.
  func perform<Result: Sendable>(
    _ id: EffectID, cancelInFlight: Bool,
    _ operation: @escaping @Sendable (EffectSender) async -> Result
  ) async -> Result? {
    let (runner, place, maps) = (task.context.runner, place, maps)
    var context = task.context
    context.whole = task
    context.scope = .current
    let part = EffectTask(context, .nothing)
    await runner.deliver(
      EffectDelivery(.operation(part, id, cancelInFlight: cancelInFlight), from: task))
    let result = Mutex<Result?>(nil)
    let sender = PartSender(part, maps, place)
    await withTaskCancellationHandler {
      await part.start {
        let value = await operation(sender)
        sender.end()
        result.withLock { $0 = value }
      }?.value
    } onCancel: {
      part.cancel()
    }
    return result.withLock { $0 }
  }

  private func reportLateAction(_ action: any Sendable) {
    guard let place else { return }
    DependencyIssue(
      problem: """
        An effect sent the action \(action) after it ended. Nothing waits for that action.
        """,
      remedy: """
        make `.run { send in … }` wait for everything that sends actions: use `await`, or a task \
        group instead of `Task { … }`.
        """,
      fileID: place.fileID,
      line: place.line
    ).report()
  }
}

/// What an operation sends with that is a part of what a task does.
final class PartSender: EffectSender, @unchecked Sendable {  // Immutable.
  private let ofTask: EffectTask
  private let ofMaps: [ActionMap]
  private let ofPlace: SourceLocation?

  override var task: EffectTask { ofTask }
  override var maps: [ActionMap] { ofMaps }
  override var place: SourceLocation? { ofPlace }

  init(_ task: EffectTask, _ maps: [ActionMap], _ place: SourceLocation?) {
    ofTask = task
    ofMaps = maps
    ofPlace = place
  }
}
