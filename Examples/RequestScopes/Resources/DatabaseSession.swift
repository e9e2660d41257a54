import ComposableEnvironment
import ComposableResources
import Synchronization

/// A connection that several requests share, one after the other.
final class DatabaseSession: Sendable {
  let connection: Pool.Connection
  fileprivate let pool: Pool
  private let rollbacks = Atomic(0)

  fileprivate init(connection: Pool.Connection, pool: Pool) {
    self.connection = connection
    self.pool = pool
  }

  var hasRolledBack: Bool { rollbacks.load(ordering: .relaxed) > 0 }

  func didRollBack() {
    rollbacks.add(1, ordering: .relaxed)
  }
}

enum SessionKey: ResourceKey {
  /// The value of a read outside any lifetime that opened a session.
  static var defaultValue: DatabaseSession {
    DatabaseSession(connection: Pool.Connection(number: 0), pool: PoolKey.defaultValue)
  }

  static func open(_ needs: ResourceOpening) async throws -> DatabaseSession {
    // The program's pool, which closes after every session.
    let pool = try await needs(PoolKey.self)
    let session = await DatabaseSession(connection: pool.checkOut(), pool: pool)
    needs[\.ledger].open(.session)
    return session
  }

  static func close(_ session: DatabaseSession) async {
    let scope = DependencyScope.current
    scope.ledger.close(.session)
    if scope.plantedLeak == .connection, session.hasRolledBack { return }
    await session.pool.checkIn(session.connection)
  }
}

extension Dependencies {
  /// The session that the request belongs to.
  var session: DatabaseSession {
    get { self[SessionKey.self] }
    set { self[SessionKey.self] = newValue }
  }
}
