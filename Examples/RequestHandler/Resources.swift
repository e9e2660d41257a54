import ComposableEnvironment
import ComposableResources
import DependencyCarriers

/// The connections to a database, which the program opens once.
actor Pool {
  struct Connection: Sendable {
    fileprivate let database: Database
  }

  let database: Database
  private(set) var connectionsInUse = 0
  private let limit: Int
  /// The requests that wait for a connection, in order.
  private var waiting: [(number: Int, continuation: CheckedContinuation<Void, any Error>)] = []
  private var lastNumber = 0

  init(database: Database, limit: Int = 4) {
    self.database = database
    self.limit = limit
  }

  /// Waits for a connection, unless the task is canceled.
  func checkOut() async throws -> Connection {
    if connectionsInUse < limit {
      connectionsInUse += 1
    } else {
      lastNumber += 1
      let number = lastNumber
      try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation {
          (continuation: CheckedContinuation<Void, any Error>) in
          if Task.isCancelled { return continuation.resume(throwing: CancellationError()) }
          waiting.append((number, continuation))
        }
      } onCancel: {
        Task { await self.cancel(number) }
      }
    }
    return Connection(database: database)
  }

  func checkIn() {
    // The connection goes to the next one that waits.
    if waiting.isEmpty {
      connectionsInUse -= 1
    } else {
      waiting.removeFirst().continuation.resume()
    }
  }

  private func cancel(_ number: Int) {
    guard let index = waiting.firstIndex(where: { $0.number == number }) else { return }
    waiting.remove(at: index).continuation.resume(throwing: CancellationError())
  }
}

enum PoolKey: ResourceKey {
  /// What code reads outside of `withResources`.
  static var defaultValue: Pool { Pool(database: Database(stock: [:])) }

  static func open(_ needs: ResourceOpening) async throws -> Pool {
    log("the pool opens")
    return Pool(database: needs[\.database])
  }

  static func close(_ pool: Pool) async {
    log("the pool closes, \(await pool.connectionsInUse) connections are in use")
  }
}

/// The changes of one request, applied completely or not at all.
actor Transaction {
  private enum State { case open, committed, failed }

  private let pool: Pool
  private let connection: Pool.Connection
  private var changes: [String] = []
  private var state = State.open

  fileprivate init(pool: Pool, connection: Pool.Connection) {
    self.pool = pool
    self.connection = connection
  }

  func take(_ item: String) async throws {
    try await connection.database.take(item)
    changes.append(item)
  }

  /// Applies the changes, and throws if that fails: the request must know.
  func commit() async throws {
    state = .failed  // until the database says otherwise
    try await connection.database.commit(changes)
    state = .committed
    log("committed")
  }

  /// Does what the request hasn't done.
  fileprivate func end() async {
    switch state {
    case .committed: break
    case .open:
      await connection.database.giveBack(changes)
      log("rolled back")
    case .failed:
      // This database has then done nothing. One across a network might have.
      await connection.database.giveBack(changes)
      log("not committed")
    }
    await pool.checkIn()
  }
}

enum TransactionKey: ResourceKey {
  static var defaultValue: Transaction {
    let pool = PoolKey.defaultValue
    return Transaction(pool: pool, connection: Pool.Connection(database: pool.database))
  }

  static func open(_ needs: ResourceOpening) async throws -> Transaction {
    // Asking for the pool says that it must close after this.
    let pool = try await needs(PoolKey.self)
    return try await Transaction(pool: pool, connection: pool.checkOut())
  }

  static func close(_ transaction: Transaction) async {
    await transaction.end()
  }
}

extension Dependencies {
  /// The program's connections.
  var pool: Pool {
    get { self[PoolKey.self] }
    set { self[PoolKey.self] = newValue }
  }

  /// The transaction of the current request.
  var transaction: Transaction {
    get { self[TransactionKey.self] }
    set { self[TransactionKey.self] = newValue }
  }

  /// The database that the pool connects to.
  var database: Database {
    get { self[DatabaseKey.self] }
    set { self[DatabaseKey.self] = newValue }
  }
}

private enum DatabaseKey: DependencyKey {
  static var defaultValue: Database { Database(stock: ["book": 2, "lamp": 1, "bill form": 10]) }
}

/// Stands in for a database.
actor Database {
  struct SoldOut: Error, CustomStringConvertible {
    let item: String
    var description: String { "there is no \(item) left" }
  }

  struct NotCommitted: Error {}

  private(set) var stock: [String: Int]
  private(set) var sold: [String: Int] = [:]
  private var commits = 0
  /// Every commit whose number it divides fails, if it isn't 0.
  private let failingCommit: Int

  init(stock: [String: Int], failingCommit: Int = 0) {
    self.stock = stock
    self.failingCommit = failingCommit
  }

  func take(_ item: String) throws {
    guard let count = stock[item], count > 0 else { throw SoldOut(item: item) }
    stock[item] = count - 1
  }

  func giveBack(_ items: [String]) {
    for item in items { stock[item, default: 0] += 1 }
  }

  func commit(_ items: [String]) throws {
    commits += 1
    if failingCommit > 0, commits % failingCommit == 0 { throw NotCommitted() }
    for item in items { sold[item, default: 0] += 1 }
  }
}
