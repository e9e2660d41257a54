internal import ComposableReducers
internal import Synchronization

/// What has happened in a test's store and was not asserted yet, and what is in flight.
final class StoreLog<State: Sendable, Action: Sendable>: EffectSupervisor {
  /// An action that an effect has sent.
  struct Received {
    let action: Action
    /// The state after it.
    let state: State
  }

  private struct Contents {
    var exhaustivity = Exhaustivity.on
    var timeout = TestRun.limit
    /// The state after the last action that was asserted.
    var state: State
    var received: [Received] = []
    var effects: [ObjectIdentifier: Effect] = [:]
    var effectCount = 0
    /// Those who wait for something to happen.
    var waits: [Wait] = []

    mutating func takeWaits() -> [Wait] {
      defer { waits = [] }
      return waits
    }
  }

  private struct Effect {
    let number: Int
    let origin: EffectOrigin
  }

  private let contents: Mutex<Contents>
  private let testRun: TestRun

  init(state: State, in testRun: TestRun) {
    contents = Mutex(Contents(state: state))
    self.testRun = testRun
  }

  var executor: any TaskExecutor { testRun.executor }

  func willStart(_ task: ObjectIdentifier, of origin: EffectOrigin) {
    contents.withLock { contents in
      contents.effectCount += 1
      contents.effects[task] = Effect(number: contents.effectCount, origin: origin)
    }
  }

  func didFinish(_ task: ObjectIdentifier) {
    tell { $0.effects[task] = nil }
  }

  func didReceive(_ action: Action, state: State) {
    tell { $0.received.append(Received(action: action, state: state)) }
  }

  private func tell(_ change: (inout Contents) -> Void) {
    let waits = contents.withLock { contents in
      change(&contents)
      return contents.takeWaits()
    }
    for wait in waits { wait.end(.fulfilled) }
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
    set { contents.withLock { $0.state = newValue } }
  }

  /// The actions that were received and not asserted.
  var received: [Received] { contents.withLock { $0.received } }

  /// Where the effects in flight come from, in the order in which they started.
  var origins: [EffectOrigin] {
    contents.withLock { $0.effects.values.sorted { $0.number < $1.number }.map(\.origin) }
  }

  /// Takes the received actions up to one of them, with the state before it.
  func takeReceived(through index: Int) -> (before: State, Received)? {
    contents.withLock { contents in
      guard contents.received.indices.contains(index) else { return nil }
      let before = index == 0 ? contents.state : contents.received[index - 1].state
      let received = contents.received[index]
      contents.received.removeFirst(index + 1)
      contents.state = received.state
      return (before, received)
    }
  }

  /// Takes all received actions; the state is that after the last of them.
  func takeAllReceived() -> [Received] {
    contents.withLock { contents in
      defer { contents.received = [] }
      if let last = contents.received.last { contents.state = last.state }
      return contents.received
    }
  }

  /// Forgets the effects in flight, because a failure has named them.
  func forgetEffects() {
    contents.withLock { $0.effects = [:] }
  }
}

extension StoreLog {
  enum Outcome<Found> {
    case found(Found)
    /// Nothing is in flight, so it will never be found.
    case notToCome
    case timedOut
    /// Something runs on and on.
    case restless
  }

  /// Looks for something among what was received, each time when everything that can run has run;
  /// and waits in between until something happens.
  func wait<Found>(
    within limit: Duration, for find: ([Received]) -> Found?
  ) async -> Outcome<Found> {
    // Something may happen again and again, but not what is looked for.
    let end = ContinuousClock.now.advanced(by: limit * 10)
    while true {
      guard await testRun.executor.idle(within: limit) == .fulfilled else { return .restless }
      let wait = Wait()
      // Of these at once: what happens from here on ends the wait.
      let (received, isInFlight) = contents.withLock { contents in
        contents.waits.append(wait)
        return (contents.received, !contents.effects.isEmpty)
      }
      if let found = find(received) { return .found(found) }
      if !isInFlight { return .notToCome }
      guard ContinuousClock.now < end, await wait.outcome(within: limit) == .fulfilled
      else { return .timedOut }
    }
  }
}
