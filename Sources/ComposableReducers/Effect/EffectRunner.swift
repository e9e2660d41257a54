internal import Synchronization

/// Runs the effects of one store, and tracks those that are running.
///
/// ``EffectStarter`` makes the decisions that need the store's isolation.
@usableFromInline
package final class EffectRunner: Sendable {
  /// Delivers an effect's requests to its store.
  @usableFromInline
  package typealias Deliver = @Sendable (EffectDelivery) async -> Void

  private final class Delivering: Sendable {
    let deliver: Deliver
    init(_ deliver: @escaping Deliver) { self.deliver = deliver }
  }

  let supervisor: (any EffectSupervisor)?
  /// All tasks.
  let running = EffectGroup()
  private let delivering = AtomicLazyReference<Delivering>()
  private let emptied = Mutex<[EffectGroup]>([])
  private let taskCount = Atomic(0)

  @usableFromInline
  init(supervisor: (any EffectSupervisor)?) {
    self.supervisor = supervisor
  }

  /// Connects the store, once.
  ///
  /// The closure must not retain it.
  @usableFromInline
  package func connect(_ deliver: @escaping Deliver) {
    _ = delivering.storeIfNil(Delivering(deliver))
  }

  /// Returns a number for a task, higher than those of all earlier tasks.
  func nextNumber() -> Int {
    taskCount.add(1, ordering: .relaxed).newValue
  }

  func deliver(_ delivery: EffectDelivery) async {
    await delivering.load()?.deliver(delivery)
  }

  /// Cancels everything that is running.
  package func cancelAll() {
    running.cancel()
  }

  func didEmpty(_ group: EffectGroup) {
    emptied.withLock { $0.append(group) }
  }

  /// Returns the groups whose last task has finished since the last call.
  func takeEmptied() -> [EffectGroup] {
    emptied.withLock { emptied in
      if emptied.isEmpty { return [] }
      defer { emptied = [] }
      return emptied
    }
  }
}

/// A request of an effect to its store.
@usableFromInline
package struct EffectDelivery: Sendable {
  enum Content: Sendable {
    case action(any Sendable)
    /// Start a part of the effect on its own.
    case part(EffectNode, EffectContext)
    /// Open the next interval, with the effect that waited for it.
    case interval(EffectID, Throttling)
    /// Make an operation cancellable with an identifier.
    case operation(EffectTask, EffectID, cancelInFlight: Bool)
  }

  let content: Content
  let task: EffectTask

  init(_ content: Content, from task: EffectTask) {
    self.content = content
    self.task = task
  }
}
