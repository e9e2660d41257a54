internal import Synchronization

/// A store's effects that are cancelled together: those with an identifier, or those of a child.
@usableFromInline
class EffectGroup: @unchecked Sendable {  // Its subclasses are used in the store's isolation only.
  private let tasks = Mutex(SlotList<EffectTask>())

  var isEmpty: Bool { tasks.withLock { $0.isEmpty } }

  /// Returns the position of the task, for its removal.
  func add(_ task: EffectTask) -> Int {
    tasks.withLock { $0.insert(task) }
  }

  /// Returns whether the task was the last one.
  func remove(_ task: EffectTask, at position: Int) -> Bool {
    tasks.withLock { tasks in
      tasks.remove(task, at: position)
      return tasks.isEmpty
    }
  }

  func cancel() {
    all.cancel()
  }

  /// Cancels all tasks except one and those that it is a part of.
  func cancel(exceptWholesOf part: EffectTask?) {
    var others = all
    var whole = part
    while let spared = whole {
      others.removeAll { $0 === spared }
      whole = spared.context.whole
    }
    others.cancel()
  }

  /// All tasks, in the order in which they were made.
  var all: [EffectTask] { tasks.withLock { $0.all }.sortedByAge() }

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

  /// A new task may be in the slot of an earlier one.
  func sortedByAge() -> [EffectTask] {
    count < 2 ? self : sorted { $0.number < $1.number }
  }
}
