internal import ComposableReducers
internal import Synchronization

/// The events in a test's store that weren't asserted yet, and the running effects.
final class StoreLog<State: Sendable, Action: Sendable>: Sendable {
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
    var effectCount = 0
    /// The tasks that wait for an event.
    var waits: [Wait] = []

    mutating func takeWaits() -> [Wait] {
      defer { waits = [] }
      return waits
    }
  }

  struct Effect: Sendable {
    let number: Int
    let origin: EffectOrigin
    let executor: EffectExecutor
    let abandon: @Sendable () -> Void
  }

  private let contents: Mutex<Contents>
  let testRun: TestRun

  init(state: State, in testRun: TestRun) {
    contents = Mutex(Contents(state: state))
    self.testRun = testRun
  }

  func didReceive(_ action: Action, state: State) {
    testRun.executor.explored?.note("the store receives \(short(action))")
    tell { $0.received.append(Received(action: action, state: state)) }
  }

  /// The result of `change` is freed outside the lock, because it may be the user's.
  private func tell<Old: Sendable>(_ change: (inout Contents) -> Old) {
    let (_, waits) = contents.withLock { contents in (change(&contents), contents.takeWaits()) }
    for wait in waits { wait.end(.fulfilled) }
  }
}

extension StoreLog: EffectSupervisor, EffectLog {
  func willStart(
    _ effect: ObjectIdentifier, of origin: EffectOrigin, abandon: @escaping @Sendable () -> Void
  ) {
    let executor = EffectExecutor(of: effect, in: self, on: testRun.executor)
    contents.withLock { contents in
      contents.effectCount += 1
      contents.effects[effect] = Effect(
        number: contents.effectCount, origin: origin, executor: executor, abandon: abandon)
    }
  }

  func executor(of effect: ObjectIdentifier) -> any TaskExecutor {
    let known = contents.withLock { $0.effects[effect] }
    guard let explored = testRun.executor.explored else {
      return known?.executor ?? testRun.executor
    }
    // Only here, because an effect cancelled before it starts never has a task.
    if let known { explored.announceTask("an \(effectDescription(known.origin))") }
    return testRun.executor
  }

  func didStart(_ effect: ObjectIdentifier) {
    contents.withLock { $0.effects[effect]?.executor }?.didStart()
  }

  func didFinish(_ effect: ObjectIdentifier) {
    forget(effect)
  }

  func description(of effect: ObjectIdentifier) -> String? {
    contents.withLock { $0.effects[effect]?.origin }.map { "\(effectDescription($0))," }
  }

  func abandon(_ effect: ObjectIdentifier) {
    contents.withLock { $0.effects[effect]?.abandon }?()
  }

  func forget(_ effect: ObjectIdentifier) {
    tell { $0.effects.removeValue(forKey: effect) }
  }

  /// Forgets the running effects, because a failure has named them.
  func forgetEffects() {
    tell { contents in
      defer { contents.effects = [:] }
      return contents.effects
    }
  }
}

extension StoreLog {
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
    contents.withLock { _ = $0.reported.remove(at: index) }
    return true
  }

  /// The effects in flight, in the order in which they started.
  var effects: [Effect] {
    contents.withLock { $0.effects }.values.sorted { $0.number < $1.number }
  }

  /// Where the effects in flight come from.
  var origins: [EffectOrigin] { effects.map(\.origin) }

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

extension StoreLog {
  enum Outcome<Found> {
    case found(Found)
    /// Nothing is running, so it will never be found.
    case notToCome
    /// Everything that runs sleeps on a clock of the test, until an instant or later.
    case asleep(TestClock.Instant)
    case timedOut
    /// Something blocks its thread, or never settles.
    case restless
  }

  /// Searches the received actions each time everything that can run has run, and otherwise waits
  /// for an event.
  func wait<Found>(
    within duration: Duration, for find: ([Received]) -> Found?
  ) async -> Outcome<Found> {
    let limit = TimeLimit(duration, on: testRun.executor)
    while true {
      guard await testRun.executor.idle(within: limit) == .fulfilled else { return .restless }
      let wait = Wait()
      // Read both together: anything that happens from here on ends the wait.
      let (received, effects) = contents.withLock { contents in
        contents.waits.append(wait)
        return (contents.received, Array(contents.effects.values))
      }
      if let found = find(received) { return .found(found) }
      if effects.isEmpty { return .notToCome }
      if let next = firstToWake(of: effects) { return .asleep(next) }
      guard await limit.outcome(of: wait) == .fulfilled else {
        return testRun.executor.hasAbandonedJobs ? .restless : .timedOut
      }
    }
  }
}

/// What to call an effect in a message.
func effectDescription(_ origin: EffectOrigin) -> String {
  "effect of \(short(origin.action)), created at \(origin.place.fileID):\(origin.place.line)"
}
