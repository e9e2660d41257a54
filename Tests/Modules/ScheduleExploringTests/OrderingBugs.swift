import TestSupport
import ComposableTesting

/// Bugs across an `await`, in actors and between them.
extension OrderingBug {
  static let all =
    [
      lostUpdate, checkThenAct, deadlock, sendAfterClose, doubleDebounce, throttleEdge, staleSearch,
      leakedSleeper, mergeOrder,
    ]

  private actor Counter {
    var count = 0

    func set(_ count: Int) { self.count = count }
    func increment() { count += 1 }
  }

  static let lostUpdate = OrderingBug(name: "a lost update across an await", limit: 150) {
    let counter = Counter()
    try await sideBySide(
      { await counter.set(counter.count + 1) },
      {
        for _ in 0..<8 { await Task.yield() }
        await counter.set(counter.count + 1)
      })
    try await require(counter.count == 2, "the count is \(counter.count)")
  } correct: {
    let counter = Counter()
    try await sideBySide(
      { await counter.increment() },
      {
        for _ in 0..<8 { await Task.yield() }
        await counter.increment()
      })
    try await require(counter.count == 2, "the count is \(counter.count)")
  }

  private actor Account {
    var balance = 100

    func withdraw(_ amount: Int, approve: @Sendable () async -> Void) async {
      guard balance >= amount else { return }
      await approve()
      balance -= amount
    }

    func withdrawCarefully(_ amount: Int, approve: @Sendable () async -> Void) async {
      await approve()
      guard balance >= amount else { return }
      balance -= amount
    }
  }

  static let checkThenAct = OrderingBug(name: "check-then-act in an actor", limit: 40) {
    let (account, approve) = (Account(), interleaved {})
    try await sideBySide(
      { await account.withdraw(80, approve: approve) },
      {
        for _ in 0..<10 { await Task.yield() }
        await account.withdraw(80, approve: approve)
      })
    try await require(account.balance >= 0, "the balance is \(account.balance)")
  } correct: {
    let (account, approve) = (Account(), interleaved {})
    try await sideBySide(
      { await account.withdrawCarefully(80, approve: approve) },
      { await account.withdrawCarefully(80, approve: approve) })
    try await require(account.balance >= 0, "the balance is \(account.balance)")
  }

  private static func transfer(_ first: AsyncLock, _ second: AsyncLock) async {
    await first.lock()
    await second.lock()
    await second.unlock()
    await first.unlock()
  }

  static let deadlock = OrderingBug(name: "a deadlock of two actors' handshakes", limit: 300) {
    let (first, second) = (AsyncLock(), AsyncLock())
    try await sideBySide(
      { await transfer(first, second) },
      {
        for _ in 0..<14 { await Task.yield() }
        await transfer(second, first)
      })
  } correct: {
    let (first, second) = (AsyncLock(), AsyncLock())
    try await sideBySide(
      { await transfer(first, second) }, { await transfer(first, second) })
  }

  private actor Connection {
    private var isClosed = false
    private(set) var problem: String?

    func close() { isClosed = true }

    func send(encode: @Sendable () async -> Void) async {
      guard !isClosed else { return }
      await encode()
      if isClosed { problem = "sent on a closed connection" }
    }

    func sendIfOpen(encode: @Sendable () async -> Void) async {
      await encode()
      guard !isClosed else { return }
    }
  }

  static let sendAfterClose = OrderingBug(name: "a send after cancel", limit: 40) {
    let (connection, encode) = (Connection(), interleaved {})
    try await sideBySide(
      { await connection.send(encode: encode) },
      {
        for _ in 0..<10 { await Task.yield() }
        await connection.close()
      })
    try await require(connection.problem == nil, "it was sent after the close")
  } correct: {
    let (connection, encode) = (Connection(), interleaved {})
    try await sideBySide(
      { await connection.sendIfOpen(encode: encode) }, { await connection.close() })
    try await require(connection.problem == nil, "it was sent after the close")
  }
}
