import ComposableEnvironment
import ComposableResources
import Synchronization

/// The changes of one request, applied completely or not at all.
final class Transaction: Sendable {
  fileprivate let session: DatabaseSession
  private let succeeded = Atomic(false)

  fileprivate init(session: DatabaseSession) {
    self.session = session
  }

  /// Marks the transaction as successful; otherwise, it is rolled back when it closes.
  func succeed() {
    succeeded.store(true, ordering: .relaxed)
  }

  fileprivate var hasSucceeded: Bool { succeeded.load(ordering: .relaxed) }
}

enum TransactionKey: ResourceKey {
  /// The value of a read outside any lifetime that began a transaction.
  static var defaultValue: Transaction { Transaction(session: SessionKey.defaultValue) }

  static func open(_ needs: ResourceOpening) async throws -> Transaction {
    let session = try await needs(SessionKey.self)
    needs[\.ledger].open(.transaction)
    return Transaction(session: session)
  }

  /// Commits or rolls back, even for a cancelled request, whose own task couldn't.
  static func close(_ transaction: Transaction) async {
    let scope = DependencyScope.current
    if transaction.hasSucceeded {
      scope.ledger.commit()
    } else {
      transaction.session.didRollBack()
      if scope.plantedLeak == .transaction { return }
    }
    scope.ledger.close(.transaction)
  }
}

extension Dependencies {
  /// The transaction of the request.
  var transaction: Transaction {
    get { self[TransactionKey.self] }
    set { self[TransactionKey.self] = newValue }
  }
}
