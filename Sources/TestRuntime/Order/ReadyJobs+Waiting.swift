/// Waiting until nothing can run, and sleeping until a time.
extension ReadyJobs {
  /// Waits until nothing can run.
  ///
  /// - Returns: Whether that is so already.
  mutating func waitUntilIdle(_ wait: Wait) -> Bool {
    waits.activity += 1
    if phase == .over || phase == .plain && !isRunning && !away.areAwaited { return true }
    waits.idle.append((wait, waits.jobs))
    return false
  }

  /// The tasks that could go on, in order.
  var restlessTasks: [UInt64] {
    (running.next.map { [$0.entry.task] } ?? []) + (0..<entries.count).map { entries[$0].task }
  }

  /// The tasks that can run, apart from effects of stores.
  var readyTasks: [UInt64] {
    var tasks: [UInt64] = []
    for entry in (0..<entries.count).map({ entries[$0] }) + entries.outside {
      switch entry.work {
      case .job(let job): if job.effect != nil { continue }
      case .waitingTask, .overtaken: break
      }
      if entry.task != running.task, !tasks.contains(entry.task) { tasks.append(entry.task) }
    }
    return tasks
  }

  /// Whether there is nothing to choose or to wake.
  var isIdle: Bool {
    entries.areNone && (away.areAwaited || waits.idle.isEmpty && waits.sleepers.count == 0)
  }

  /// Lets a task sleep.
  ///
  /// - Returns: Whether the running task sleeps; otherwise, it was cancelled before.
  mutating func fallAsleep(_ id: Int, _ sleep: Waits.Sleep) -> Bool {
    if phase == .over { return waits.sleepsLate() }
    // In a stopped run, a loop that ignores its cancellation must not spin.
    let isStopping = phase == .stopping
    if Task.isCancelled, !isStopping { return false }
    let deadline = sleep.task.deadline
    waits.sleepers.insert(id, until: deadline, sleep)
    // A sleeper whose deadline has passed takes part in the next choice.
    if deadline <= waits.now, !isStopping { _ = wakeSleepers() }
    return true
  }

  /// Moves the time to the next deadline, and makes the tasks that sleep until then ready.
  ///
  /// - Returns: Whether a task was sleeping.
  mutating func wakeSleepers() -> Bool {
    guard waits.moveTime() else { return false }
    while let sleeper = waits.sleepers.popFirst(through: waits.now) {
      let sleep = sleeper.sleep
      add(sleep.waitingTask, of: sleep.task.id, .deadline(sleeper.deadline), at: sleep.stack)
    }
    return true
  }
}
