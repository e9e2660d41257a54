internal import Synchronization

/// Runs the effects of one store, and tracks those that are running.
///
/// ``EffectStarter`` makes the decisions that need the store's isolation.
@usableFromInline
package final class EffectRunner: Sendable {
  /// Delivers an effect's requests to its store.
  @usableFromInline
  package typealias Deliver = @Sendable (EffectDelivery) async -> Void

  private struct AbandonedEffect {
    weak let task: EffectTask?
  }

  private final class Delivering: Sendable {
    let deliver: Deliver
    init(_ deliver: @escaping Deliver) { self.deliver = deliver }
  }

  let supervisor: (any EffectSupervisor)?
  /// All flights with effects under way.
  private let flights = Mutex(SlotList<Flight>())
  private let abandoned = Mutex<[AbandonedEffect]>([])
  private let delivering = AtomicLazyReference<Delivering>()
  private let emptied = Mutex<[EffectGroup]>([])
  /// Whether some group was emptied, for a quick look.
  private let hasEmptied = Atomic(false)
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

  var isEmpty: Bool { flights.withLock { $0.isEmpty } }

  /// Returns the position of the flight, for its removal.
  func add(_ flight: Flight) -> Int {
    flights.withLock { $0.insert(flight) }
  }

  func remove(_ flight: Flight, at position: Int) {
    flights.withLock { _ = $0.remove(flight, at: position) }
  }

  /// Cancels everything that is running.
  package func cancelAll() {
    let effects = flights.withLock { $0.all }.flatMap(\.effects)
    let abandoned = abandoned.withLock { $0 }.compactMap(\.task)
    (effects + abandoned).sortedByAge().cancel()
  }

  /// Adds an effect that nobody waits for any more, but which ends with the store.
  func abandon(_ task: EffectTask) {
    abandoned.withLock { $0.append(AbandonedEffect(task: task)) }
  }

  func didEmpty(_ group: EffectGroup) {
    emptied.withLock {
      $0.append(group)
      hasEmptied.store(true, ordering: .releasing)
    }
  }

  /// Returns the groups whose last task has finished since the last call.
  func takeEmptied() -> [EffectGroup] {
    if !hasEmptied.load(ordering: .acquiring) { return [] }
    return emptied.withLock { emptied in
      hasEmptied.store(false, ordering: .relaxed)
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
