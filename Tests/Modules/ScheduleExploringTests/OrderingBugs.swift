import ComposableTesting
import TestSupport

/// Bugs across an `await`, in actors and between them.
extension OrderingBug {
  static let all = [
    lostUpdate, checkThenAct, deadlock, sendAfterClose, doubleDebounce, throttleEdge, staleSearch,
    leakedSleeper, mergeOrder,
  ]

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
        for _ in 0..<8 { await Task.yield() }
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

  static let checkThenAct = OrderingBug(name: "check-then-act in an actor", limit: 40) {
    isCorrect in
    let (account, approve) = (Account(), interleaved {})
    try await sideBySide(
      { await account.withdraw(80, approvedFirst: isCorrect, approve: approve) },
      {
        for _ in 0..<10 { await Task.yield() }
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

  static let deadlock = OrderingBug(name: "a deadlock of two actors' handshakes", limit: 300) {
    isCorrect in
    let (first, second) = (AsyncLock(), AsyncLock())
    try await sideBySide(
      { await transfer(first, second) },
      {
        for _ in 0..<14 { await Task.yield() }
        if isCorrect { await transfer(first, second) } else { await transfer(second, first) }
      })
  }

  private actor Connection {
    private var isClosed = false
    private(set) var problem: String?

    func close() { isClosed = true }

    func send(encodedFirst: Bool, encode: @Sendable () async -> Void) async {
      if encodedFirst { await encode() }
      guard !isClosed else { return }
      if !encodedFirst { await encode() }
      if isClosed { problem = "sent on a closed connection" }
    }
  }

  static let sendAfterClose = OrderingBug(name: "a send after cancel", limit: 40) { isCorrect in
    let (connection, encode) = (Connection(), interleaved {})
    try await sideBySide(
      { await connection.send(encodedFirst: isCorrect, encode: encode) },
      {
        for _ in 0..<10 { await Task.yield() }
        await connection.close()
      })
    try await require(connection.problem == nil, "it was sent after the close")
  }
}
