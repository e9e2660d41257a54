import ComposableEnvironment
import ComposableResources
import Synchronization

/// The connections to a database, which the program opens once.
actor Pool {
  let database: Database
  private(set) var connectionsInUse = 0

  init(database: Database) { self.database = database }

  func checkOut() -> Database {
    connectionsInUse += 1
    return database
  }

  func checkIn() { connectionsInUse -= 1 }
}

enum PoolKey: ResourceKey {
  /// What code reads outside of `withResources`.
  static var defaultValue: Pool { Pool(database: Database(stock: [:])) }

  static func open(_ needs: ResourceOpening) async throws -> Pool {
    log("the pool opens")
    return Pool(database: Database(stock: ["book": 2, "lamp": 1, "bill form": 10]))
  }

  static func close(_ pool: Pool) async {
    log("the pool closes")
  }
}

/// The changes of one request, applied completely or not at all.
actor Transaction {
  fileprivate let pool: Pool
  private let database: Database
  private var changes: [String] = []
  private let succeeded = Atomic(false)

  fileprivate init(pool: Pool, database: Database) {
    self.pool = pool
    self.database = database
  }

  func take(_ item: String) async throws {
    try await database.take(item)
    changes.append(item)
  }

  /// Says that the changes stay; otherwise, they are undone when the transaction closes.
  nonisolated func succeed() { succeeded.store(true, ordering: .releasing) }

  fileprivate func close() async {
    if succeeded.load(ordering: .acquiring) {
      log("committed")
    } else {
      for item in changes { await database.giveBack(item) }
      log("rolled back")
    }
    await pool.checkIn()
  }
}

enum TransactionKey: ResourceKey {
  static var defaultValue: Transaction {
    let pool = PoolKey.defaultValue
    return Transaction(pool: pool, database: pool.database)
  }

  static func open(_ needs: ResourceOpening) async throws -> Transaction {
    // Asking for the pool says that it must close after this.
    let pool = try await needs(PoolKey.self)
    return await Transaction(pool: pool, database: pool.checkOut())
  }

  static func close(_ transaction: Transaction) async {
    await transaction.close()
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
}

/// Stands in for a database.
actor Database {
  struct SoldOut: Error, CustomStringConvertible {
    let item: String
    var description: String { "there is no \(item) left" }
  }

  private(set) var stock: [String: Int]

  init(stock: [String: Int]) { self.stock = stock }

  func take(_ item: String) throws {
    guard let count = stock[item], count > 0 else { throw SoldOut(item: item) }
    stock[item] = count - 1
  }

  func giveBack(_ item: String) { stock[item, default: 0] += 1 }
}
