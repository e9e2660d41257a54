import ComposableEnvironment
import Synchronization

/// Counts what is opened and closed, so that nothing stays open unnoticed.
final class Ledger: DependencyKey, Sendable {
  enum Kind: String, CaseIterable {
    case pool, cache, connection, session, transaction
  }

  /// Atomic, because ThreadSanitizer doesn't see the effect of a contended `Mutex` on Linux.
  private final class Account: Sendable {
    let opened = Atomic(0)
    let closed = Atomic(0)
  }

  static var defaultValue: Ledger { Ledger() }

  private let accounts = Dictionary(uniqueKeysWithValues: Kind.allCases.map { ($0, Account()) })
  private let commits = Atomic(0)

  var committed: Int { commits.load(ordering: .relaxed) }

  func open(_ kind: Kind) {
    accounts[kind]!.opened.add(1, ordering: .relaxed)
  }

  func close(_ kind: Kind) {
    accounts[kind]!.closed.add(1, ordering: .relaxed)
  }

  func commit() {
    commits.add(1, ordering: .relaxed)
  }

  func opened(_ kind: Kind) -> Int { accounts[kind]!.opened.load(ordering: .relaxed) }

  func closed(_ kind: Kind) -> Int { accounts[kind]!.closed.load(ordering: .relaxed) }

  /// The number of values that were opened but not closed; negative if one was closed twice.
  func left(_ kind: Kind) -> Int { opened(kind) - closed(kind) }

  var isBalanced: Bool { Kind.allCases.allSatisfy { left($0) == 0 } }
}

/// A deliberate mistake, which shows that the ledger finds it.
enum PlantedLeak: String, CaseIterable {
  /// A session keeps its connection if the request before it was cancelled.
  case connection
  /// A transaction is forgotten if it is not committed.
  case transaction
  /// The cache is not emptied at the end.
  case cache
}

private enum PlantedLeakKey: DependencyKey { static var defaultValue: PlantedLeak? { nil } }

extension Dependencies {
  var ledger: Ledger {
    get { self[Ledger.self] }
    set { self[Ledger.self] = newValue }
  }

  var plantedLeak: PlantedLeak? {
    get { self[PlantedLeakKey.self] }
    set { self[PlantedLeakKey.self] = newValue }
  }
}
