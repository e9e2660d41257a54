/// The tasks that sleep on a clock, in the order in which to wake them.
///
/// Use it only under a lock.
package struct Sleepers<Deadline: Comparable & Sendable, Sleep: Sendable>: Sendable {
  package struct Sleeper: Sendable {
    let id: Int
    package let deadline: Deadline
    package let sleep: Sleep
  }

  /// In the order of their deadlines, and then of their arrival.
  package private(set) var list: [Sleeper] = []
  /// The sleeps about to begin, and whether each is already cancelled.
  private var arriving: [Int: Bool] = [:]
  private var lastID = 0

  package init() {}

  /// Announces a sleep that is about to begin.
  package mutating func makeID() -> Int {
    lastID += 1
    arriving[lastID] = false
    return lastID
  }

  /// Marks an announced sleep as begun.
  ///
  /// - Returns: Whether the sleep was cancelled in the meantime.
  package mutating func begin(_ id: Int) -> Bool {
    arriving.removeValue(forKey: id) == true
  }

  package mutating func insert(_ id: Int, until deadline: Deadline, _ sleep: Sleep) {
    let index = list.lastIndex { $0.deadline <= deadline }.map { $0 + 1 } ?? 0
    list.insert(Sleeper(id: id, deadline: deadline, sleep: sleep), at: index)
  }

  /// Cancels a sleep.
  ///
  /// - Returns: The sleeper, if it already sleeps.
  package mutating func cancel(_ id: Int) -> Sleep? {
    if arriving[id] != nil { arriving[id] = true }
    return list.firstIndex { $0.id == id }.map { list.remove(at: $0).sleep }
  }

  /// Removes the first sleeper, unless its deadline is later than an instant.
  package mutating func popFirst(through end: Deadline?) -> Sleeper? {
    guard let first = list.first, end.map({ first.deadline <= $0 }) ?? true else { return nil }
    return list.removeFirst()
  }

  package mutating func removeAll() -> [Sleeper] {
    defer { list = [] }
    return list
  }
}

/// A task that sleeps on a test's clock.
// Sound: the executor is only compared. The sleeping task retains it, this doesn't.
@safe package struct SleepingTask: Sendable {
  package let id: UInt64
  package let deadline: Duration
  let name = TaskID.currentName
  /// The executor that the task prefers.
  private let executor: UnownedTaskExecutor?

  /// Describes the running task, which is about to sleep.
  init(until deadline: Duration) {
    id = TaskID.current
    unsafe executor = withUnsafeCurrentTask { unsafe $0?.unownedTaskExecutor }
    self.deadline = deadline
  }

  /// Whether the task is an effect's own, or a child of it.
  package func belongs(to effect: EffectExecutor) -> Bool {
    unsafe executor == effect.asUnownedTaskExecutor()
  }
}
