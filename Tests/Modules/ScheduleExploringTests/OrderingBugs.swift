import ComposableReducers
import ComposableTesting
import TestSupport
import Testing

@testable import ScheduleExploring
@testable import TestRuntime

/// A program that fails in some order of its tasks, and its correct version.
struct OrderingBug: Sendable, CustomTestStringConvertible {
  let name: String
  /// The number of schedules within which it must be found, from any seed.
  let limit: Int
  let body: @Sendable (_ isCorrect: Bool) async throws -> Void

  var buggy: @Sendable () async throws -> Void { { try await body(false) } }
  var correct: @Sendable () async throws -> Void { { try await body(true) } }
  var runner: ScheduleRunner { ScheduleRunner([], timeout: .milliseconds(50), buggy) }

  var testDescription: String { name }
}

extension OrderingBug {
  static let all = [lostUpdate, checkThenAct, deadlock, throttleEdge, staleSearch]

  private actor Counter {
    var count = 0

    func set(_ count: Int) { self.count = count }
    func increment() { count += 1 }
  }

  static let lostUpdate = OrderingBug(name: "a lost update across an await", limit: 150) {
    isCorrect in
    let counter = Counter()
    let add = { @Sendable in
      if isCorrect { await counter.increment() } else { await counter.set(counter.count + 1) }
    }
    try await sideBySide(
      { await add() },
      {
        await yield(2)
        await add()
      })
    try await require(counter.count == 2, "the count is \(counter.count)")
  }

  private actor Account {
    var balance = 100

    func withdraw(
      _ amount: Int, approvedFirst: Bool, approve: @Sendable () async -> Void
    ) async {
      if approvedFirst { await approve() }
      guard balance >= amount else { return }
      if !approvedFirst { await approve() }
      balance -= amount
    }
  }

  static let checkThenAct = OrderingBug(name: "check-then-act in an actor", limit: 100) {
    isCorrect in
    let (account, approve) = (Account(), interleaved {})
    try await sideBySide(
      { await account.withdraw(80, approvedFirst: isCorrect, approve: approve) },
      {
        await yield(3)
        await account.withdraw(80, approvedFirst: isCorrect, approve: approve)
      })
    try await require(account.balance >= 0, "the balance is \(account.balance)")
  }

  private static func transfer(_ first: AsyncLock, _ second: AsyncLock) async {
    await first.lock()
    await second.lock()
    await second.unlock()
    await first.unlock()
  }

  static let deadlock = OrderingBug(name: "a deadlock of two actors' handshakes", limit: 500) {
    isCorrect in
    let (first, second) = (AsyncLock(), AsyncLock())
    try await sideBySide(
      { await transfer(first, second) },
      {
        await yield(2)
        if isCorrect { await transfer(first, second) } else { await transfer(second, first) }
      })
  }

  private actor Throttle {
    private var isOpen = true
    private var end = 0.0
    private(set) var firings = 0

    func event(byTheClock: Bool) async throws {
      guard byTheClock ? secondsPassed >= end : isOpen else { return }
      (isOpen, end) = (false, secondsPassed + 1)
      firings += 1
      if byTheClock { return }
      try await sleep(.seconds(1))
      isOpen = true
    }
  }

  static let throttleEdge = OrderingBug(name: "a throttle at its edge", limit: 100) { isCorrect in
    let throttle = Throttle()
    try await sideBySide(
      { try await throttle.event(byTheClock: isCorrect) },
      {
        try await sleep(.seconds(1))
        await yield(2)
        try await throttle.event(byTheClock: isCorrect)
      })
    try await require(throttle.firings == 2, "fired \(throttle.firings) times")
  }

  private enum SearchAction: Equatable {
    case search(String)
    case found(String)
  }

  private static func search(cancelsOlder: Bool) async throws {
    let reducer = Reducer<String, SearchAction, Void> { state, action, _ in
      switch action {
      case .search(let text):
        let search = Effect<SearchAction>.run { send in
          try? await sleep(.seconds(1))
          await send(.found(text))
        }
        return cancelsOlder
          ? search.cancellable(id: "search", cancelInFlight: true) : search
      case .found(let text):
        state = text
        return .none
      }
    }
    let store = TestStore(initialState: "", reducer: reducer, environment: ())
    store.exhaustivity = .off
    await store.send(.search("a"))
    await store.send(.search("ab"))
    await store.finish()
    await store.skipReceivedActions(strict: false)
    try require(store.state == "ab", "the field shows what was found for \(store.state)")
  }

  static let staleSearch = OrderingBug(
    name: "a cancelled search that overwrites the newer one", limit: 20
  ) { try await search(cancelsOlder: $0) }
}
