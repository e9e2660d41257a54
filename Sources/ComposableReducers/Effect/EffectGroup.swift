internal import Synchronization

/// A store's effects that are cancelled together: those with an identifier, or those of a child.
@usableFromInline
class EffectGroup: @unchecked Sendable {  // Its subclasses are used in the store's isolation only.
  private let tasks = Mutex(EffectTaskList())

  var isEmpty: Bool { tasks.withLock { $0.count == 0 } }

  /// Returns the position of the task, for its removal.
  func add(_ task: EffectTask) -> Int {
    tasks.withLock { $0.insert(task) }
  }

  /// Returns whether the task was the last one.
  func remove(at position: Int) -> Bool {
    tasks.withLock { tasks in
      tasks.remove(at: position)
      return tasks.count == 0
    }
  }

  func cancel() {
    all.cancel()
  }

  /// All tasks, in the order in which they were made.
  var all: [EffectTask] { tasks.withLock { $0.all } }

  /// Is called when the group is empty, in the store's isolation.
  func forget() {}
}

extension [EffectTask] {
  /// Cancels the tasks in order.
  func cancel() {
    // One of the tasks may run a part of another, which must not go on when that part has ended.
    for task in self { task.markAsCancelled() }
    for task in self { task.cancel() }
  }

  func sortedByAge() -> [EffectTask] {
    count < 2 ? self : sorted { $0.number < $1.number }
  }
}

/// A list from which a task can be removed without a search.
struct EffectTaskList {
  /// Usually the only one.
  private var first: EffectTask?
  private var others: [Slot] = []
  /// The first free slot; -1 if there is none.
  private var free = -1
  private(set) var count = 0

  private struct Slot {
    var task: EffectTask?
    /// The next free slot.
    var next = -1
  }

  mutating func reserveCapacity(_ count: Int) {
    others.reserveCapacity(count)
  }

  mutating func insert(_ task: EffectTask) -> Int {
    count += 1
    if first == nil {
      first = task
      return 0
    }
    if free >= 0 {
      let position = free
      free = others[position].next
      others[position].task = task
      return position + 1
    }
    others.append(Slot(task: task))
    return others.count
  }

  /// The caller retains the task, so nothing is freed here.
  mutating func remove(at position: Int) {
    count -= 1
    if position == 0 {
      first = nil
    } else {
      others[position - 1] = Slot(task: nil, next: free)
      free = position - 1
    }
    if count == 0, !others.isEmpty {
      others.removeAll(keepingCapacity: others.count <= 64)
      free = -1
    }
  }

  /// All tasks, in the order of their creation.
  var all: [EffectTask] {
    var all = others.compactMap(\.task)
    if let first { all.insert(first, at: 0) }
    // A new task may be where an earlier one was.
    return all.sortedByAge()
  }
}
