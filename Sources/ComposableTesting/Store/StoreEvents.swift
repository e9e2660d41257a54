internal import ComposableReducers
internal import Synchronization
internal import TestRuntime
internal import ValueDifferences

/// The events in a test's store that weren't asserted yet, and the running effects.
final class StoreEvents<State: Sendable, Action: Sendable>: Sendable {
  /// An action that an effect sent.
  struct Received: Sendable {
    let action: Action
    /// The state after it.
    let state: State
  }

  private struct Contents {
    var exhaustivity = Exhaustivity.on
    var timeout = TestRun.limit
    /// The state after the last asserted action.
    var state: State
    var received: [Received] = []
    /// The actions that a failure has named, and that the test may still assert.
    var reported: [Action] = []
    var effects: [ObjectIdentifier: Effect] = [:]
    /// Whether a failure has named effects that may still run.
    var hasForgotten = false
    var effectCount = 0
    /// What identifiers cancelled lately, and what they didn't reach, for messages.
    var cancellations: [String] = []
    /// The tasks that wait for an event.
    var waits: [Wait] = []
  }

  struct Effect: Sendable {
    let id: ObjectIdentifier
    let number: Int
    let origin: EffectOrigin
    let executor: EffectExecutor
  }

  private let contents: Mutex<Contents>
  let testRun: TestRun
  /// Where the store was created.
  let place: CallSite

  init(state: State, in testRun: TestRun, at place: CallSite) {
    self.place = place
    contents = Mutex(Contents(state: state))
    self.testRun = testRun
    testRun.add(self)
  }

  func didReceive(_ action: Action, state: State) {
    testRun.order.note("the store receives \(short(action))")
    change { $0.received.append(Received(action: action, state: state)) }
  }

  /// Changes the contents, and resumes the tasks that wait for an event.
  ///
  /// The result of `change` is freed outside the lock, because it may be the user's.
  private func change<Old: Sendable>(_ change: (inout Contents) -> Old) {
    let (old, waits) = contents.withLock { contents in
      defer { contents.waits = [] }
      return (change(&contents), contents.waits)
    }
    for wait in waits { wait.finish(.fulfilled) }
    withExtendedLifetime(old) {}  // Freed after the lock.
  }
}

extension StoreEvents: EffectSupervisor {
  func willStart(_ id: ObjectIdentifier, of origin: EffectOrigin) {
    let executor = EffectExecutor(passingTo: testRun.executor.enqueue) { [weak self] in
      self?.contents.withLock { $0.effects[id] }.map { _ in "\(origin)," }
    }
    contents.withLock { contents in
      contents.effectCount += 1
      contents.effects[id] = Effect(
        id: id, number: contents.effectCount, origin: origin, executor: executor)
    }
  }

  func executor(of effect: ObjectIdentifier) -> any TaskExecutor {
    contents.withLock { $0.effects[effect]?.executor } ?? testRun.executor
  }

  func didStart(_ effect: ObjectIdentifier) {
    contents.withLock { $0.effects[effect]?.executor }?.didStart()
  }

  func didFinish(_ effect: ObjectIdentifier) {
    change { $0.effects.removeValue(forKey: effect) }
  }

  func willCancel(_ tasks: [ObjectIdentifier], by action: any Sendable, isReached: Bool) {
    let effects = contents.withLock { contents in tasks.compactMap { contents.effects[$0] } }
    let lines = effects.map { effect in
      let name = "  an \(effect.origin)"
      return isReached
        ? "\n\(name), was canceled by \(short(action)), which names the same identifier"
        : "\n\(name), has the identifier that \(short(action)) names, but belongs to another child"
    }
    contents.withLock { $0.cancellations = ($0.cancellations + lines).suffix(3) }
  }

  /// Lines about the latest cancellations by identifiers; empty if there were none.
  var cancellations: String { contents.withLock { $0.cancellations }.joined() }

  /// Forgets effects, because a failure has named them or the test skips them.
  func forget(_ effects: [Effect]) {
    change { contents in
      contents.hasForgotten = !effects.isEmpty
      return effects.map { contents.effects.removeValue(forKey: $0.id) }
    }
  }
}

extension StoreEvents: EffectNaming {
  func effect(of task: SleepingTask) -> String? {
    effects.first { task.belongs(to: $0.executor) }.map { "\($0.origin)" }
  }

  func failIfUnfinished() {
    // A canceled test has nothing more to assert.
    guard exhaustivity == .on, !Task.isCancelled else { return }
    recordUnasserted(takeAllReceived(), "before its end", place)
    let effects = effects
    if effects.isEmpty { return }
    forget(effects)
    TestFailure.record(
      """
      These effects are still running at the end of the test, and something retains their store:
      \(lines(of: effects))
        Instead: end the test with `await store.finish()`, or with `await store.skipInFlightEffects()`.
      """, at: place)
  }
}

extension StoreEvents.Effect {
  /// The deadline of the effect's own task, if that sleeps.
  fileprivate func ownDeadline(among sleepers: [SleepingTask]) -> Duration? {
    sleepers.first { $0.id == executor.taskID }?.deadline
  }

  /// Describes how the effect sleeps on the test's clock; empty if it doesn't.
  fileprivate func sleep(among sleepers: [SleepingTask]) -> String {
    if let deadline = ownDeadline(among: sleepers) {
      return ", which sleeps on the test's clock until \(deadline)"
    }
    let next = sleepers.filter { $0.belongs(to: executor) }.map(\.deadline).min()
    guard let next else { return "" }
    return ", with child tasks that sleep on the test's clock until \(next) or later"
  }
}

extension StoreEvents {
  var exhaustivity: Exhaustivity {
    get { contents.withLock { $0.exhaustivity } }
    set { contents.withLock { $0.exhaustivity = newValue } }
  }

  var timeout: Duration {
    get { contents.withLock { $0.timeout } }
    set { contents.withLock { $0.timeout = newValue } }
  }

  var state: State {
    get { contents.withLock { $0.state } }
    set {
      var newValue = newValue
      contents.withLock { swap(&$0.state, &newValue) }
    }
  }

  /// The received actions that weren't asserted.
  var received: [Received] { contents.withLock { $0.received } }

  /// Remembers actions that a failure has named.
  func didReport(_ received: some Sequence<Received>) {
    let actions = received.map(\.action)
    contents.withLock { $0.reported += actions }
  }

  /// Forgets the first action that a failure has named and that matches, and returns whether there
  /// was one.
  func takeReported(_ matches: (Action) -> Bool) -> Bool {
    let reported = contents.withLock { $0.reported }
    guard let index = reported.firstIndex(where: matches) else { return false }
    let taken = contents.withLock { contents in
      // Another task may have taken it first.
      contents.reported.indices.contains(index) ? contents.reported.remove(at: index) : nil
    }
    // So that the action is freed outside the lock, in a release build, too.
    return withExtendedLifetime(taken) { taken != nil }
  }

  /// Whether there is nothing to skip: neither now, nor anything that a failure has named.
  var hasNoReceived: Bool { contents.withLock { $0.received.isEmpty && $0.reported.isEmpty } }
  var hasNoEffects: Bool { contents.withLock { $0.effects.isEmpty && !$0.hasForgotten } }

  /// The effects in flight, in the order in which they started.
  var effects: [Effect] {
    contents.withLock { $0.effects }.values.sorted { $0.number < $1.number }
  }

  /// Removes the received actions up to an index, and leaves the state as it was before them.
  func takeReceived(through index: Int) -> [Received]? {
    contents.withLock { contents in
      guard contents.received.indices.contains(index) else { return nil }
      let taken = Array(contents.received[...index])
      contents.received.removeFirst(index + 1)
      return taken
    }
  }

  /// Removes all received actions; the state is now the state after the last.
  func takeAllReceived() -> [Received] {
    let received = contents.withLock { contents in
      defer { contents.received = [] }
      return contents.received
    }
    if let last = received.last { state = last.state }
    return received
  }
}

extension StoreEvents {
  enum Outcome<Found> {
    case found(Found)
    /// Nothing is running, so it will never be found.
    case notToCome
    /// Everything that runs sleeps on a clock of the test, until an instant or later.
    case asleep(Duration)
    case timedOut
    /// The task that waits was cancelled.
    case cancelled
    /// Something never settles.
    case restless
  }

  /// Searches the received actions each time everything that can run has run, and otherwise waits
  /// for an event.
  func wait<Found>(
    within duration: Duration, for find: ([Received]) -> Found?
  ) async -> Outcome<Found> {
    let (progress, limit) = (testRun.progress, Countdown(duration))
    while true {
      let wait = Wait()
      // Before all else, so that whatever happens until the conclusion ends the wait: without a trait,
      // effects may go on beside the test's task.
      contents.withLock { $0.waits.append(wait) }
      guard await progress.idle(within: limit) == .fulfilled else { return .restless }
      let (received, effects) = contents.withLock { ($0.received, Array($0.effects.values)) }
      if let found = find(received) { return .found(found) }
      let next = firstDeadline(of: effects)
      if wait.outcomeIfFinished == nil {
        if effects.isEmpty { return .notToCome }
        if let next { return .asleep(next) }
      }
      switch await progress.outcomeUnlessCancelled(of: wait, within: limit) {
      case .fulfilled: continue
      case .timedOut: return .timedOut
      case .cancelled: return .cancelled
      }
    }
  }

  /// Returns the first deadline of some effects, if all of them sleep on clocks of the test.
  ///
  /// Only an effect's own task counts. If a child task sleeps, work that nobody can see may end that
  /// sleep: the effect or another child task, which may wait for something on any thread.
  private func firstDeadline(of effects: [Effect]) -> Duration? {
    let sleepers = testRun.sleepers
    let deadlines = effects.compactMap { $0.ownDeadline(among: sleepers) }
    return deadlines.count == effects.count ? deadlines.min() : nil
  }

  /// A line for each of some effects, with what is known about its sleep.
  func lines(of effects: [Effect]) -> String {
    let sleepers = testRun.allSleepers
    return effects.map { effect in
      "  an \(effect.origin)\(effect.sleep(among: sleepers))"
    }.joined(separator: "\n")
  }

  /// Waits for the effects of an action, and fails the test over those that hang.
  func waitForEnd(of task: StoreTask, of action: Action, _ place: CallSite) async {
    let wait = Wait()
    task.whenFinished { wait.finish(.fulfilled) }
    let timeout = timeout
    let limit = Countdown(timeout)
    if await testRun.progress.outcome(of: wait, within: limit) == .fulfilled {
      // The last job of the last effect may not have removed it from `contents` yet.
      _ = await testRun.progress.idle(within: limit)
      return
    }
    let ids = Set(task.effects)
    let running = effects.filter { ids.contains($0.id) }
    // They may have ended at the same moment, or a failure has named them.
    if running.isEmpty { return }
    let hint = testRun.order.isExplored ? "" : " `store.timeout` is how long the test waits."
    forget(running)
    TestFailure.record(
      """
      The test waits for the end of \(short(action)), but these effects are still running \
      \(testRun.progress.textOfTimeout(after: timeout)):
      \(lines(of: running))
        Instead: let them end before you wait, for example by advancing the test's clock. Or cancel \
      them, with what `send` returns or by an action.\(hint)
      """, at: place)
  }
}
