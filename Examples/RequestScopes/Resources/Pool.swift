import ComposableEnvironment
import ComposableResources

/// Lends connections; shared by the whole program.
actor Pool {
  struct Connection {
    let number: Int
  }

  private let ledger: Ledger
  private var idle: [Connection] = []
  private var last = 0

  init(ledger: Ledger) {
    self.ledger = ledger
  }

  func checkOut() -> Connection {
    ledger.open(.connection)
    if let connection = idle.popLast() { return connection }
    last += 1
    return Connection(number: last)
  }

  func checkIn(_ connection: Connection) {
    ledger.close(.connection)
    idle.append(connection)
  }

  func disconnect() {
    idle = []
  }
}

enum PoolKey: ResourceKey {
  /// The value of a read outside any lifetime that opened a pool.
  ///
  /// Its ledger isn't counted.
  static var defaultValue: Pool { Pool(ledger: Ledger()) }

  static func open(_ needs: ResourceOpening) async throws -> Pool {
    await Task.yield()
    needs[\.ledger].open(.pool)
    return Pool(ledger: needs[\.ledger])
  }

  static func close(_ pool: Pool) async {
    await pool.disconnect()
    DependencyScope.current.ledger.close(.pool)
  }
}

extension Dependencies {
  /// The program's connections.
  var pool: Pool {
    get { self[PoolKey.self] }
    set { self[PoolKey.self] = newValue }
  }
}
