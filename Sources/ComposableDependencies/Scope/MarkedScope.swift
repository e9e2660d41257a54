internal import Synchronization

/// A scope that knows which of its overrides were set on the environment that captures it.
///
/// Only the library enters a marked scope, while it creates that environment. Meanwhile each value that
/// captures the scope gets a marked scope of its own, because `init()` may create other environments
/// of the same type: the overrides belong to the environment that `init()` returns.
final class MarkedScope: Sendable {
  private let owner: ObjectIdentifier
  /// The overrides that the owner set, each as a node of its own.
  private let own: [KeptOverride]
  /// The same scope without marks, as it was built.
  private let plain: OverrideNode?
  /// The store's alias epoch when this was built.
  private let builtAt: UInt32
  /// The same scope, with aliases declared since.
  private let settled = Mutex<Settled?>(nil)
  /// The scope that was current when this was captured.
  private let original: MarkedScope?
  /// What records the overrides that are set in this scope.
  let update: RecordedUpdate?
  /// How many environments are being created in this scope.
  private let creations = Atomic(0)
  /// Whether the environment that captured this scope is the one that the overrides were set on.
  private let isOwners = Atomic(false)

  private struct Settled {
    let epoch: UInt32
    let node: OverrideNode?
  }

  private enum Mark: DependencyKey {
    static var defaultValue: Void { () }
  }

  private init(
    owner: ObjectIdentifier, own: [KeptOverride], on plain: OverrideNode?, builtAt: UInt32,
    update: RecordedUpdate?
  ) {
    self.update = update
    self.owner = owner
    self.own = own
    self.plain = plain
    original = nil
    self.builtAt = builtAt
  }

  private init(capturing scope: MarkedScope) {
    owner = scope.owner
    own = scope.own
    plain = scope.plain
    original = scope
    update = nil
    builtAt = scope.builtAt
  }

  /// A scope, with `own` set in it by an environment of type `owner`.
  convenience init(
    owner: Any.Type, own: [KeptOverride], on scope: OverrideNode?, update: RecordedUpdate? = nil
  ) {
    // First, so that an alias declared meanwhile never seems older.
    let epoch = scope.store.aliasEpoch
    // Keys may have been aliased since. The parent's value for one of them must not win.
    let own = own.forKeysAliased(in: scope.store)
    let plain = own.reduce(scope) {
      $1.copy(on: $0, aliasEpoch: epoch)
    }
    self.init(
      owner: ObjectIdentifier(owner), own: own, on: plain, builtAt: epoch, update: update)
  }

  /// Returns this scope with one more override set by the owner.
  ///
  /// - Parameter epoch: The alias epoch for which there is an override of each aliased key.
  func adding(_ override: KeptOverride, aliasEpoch epoch: UInt32) -> MarkedScope {
    MarkedScope(
      owner: owner,
      own: isOnlyRecorded
        ? []
        : own.filter { $0.id != override.id } + [override.copy()],
      on: override.copy(on: unmarked, aliasEpoch: epoch),
      builtAt: epoch,
      update: update)
  }

  /// A scope for one update, which isn't an environment's.
  convenience init(recording update: RecordedUpdate, on scope: OverrideNode?) {
    self.init(
      owner: ObjectIdentifier(RecordedUpdate.self), own: [], on: scope,
      builtAt: scope.store.aliasEpoch, update: update)
  }

  /// A new node that makes this a scope.
  var node: OverrideNode {
    OverrideNode.marked(by: self, as: Mark.self, on: plain, aliasEpoch: builtAt)
  }

  private var isOnlyRecorded: Bool { owner == ObjectIdentifier(RecordedUpdate.self) }

  /// The overrides set on the environment of type `owner` that captured this scope.
  func own(of owner: Any.Type) -> [KeptOverride] {
    isOwners.load(ordering: .acquiring) && self.owner == ObjectIdentifier(owner) ? own : []
  }

  /// Creates the environment that the overrides were set on.
  ///
  /// - Parameter node: The node of this.
  /// - Returns: The environment, and whether it has captured this scope.
  func create<Environment: ScopeCapturing>(
    in node: OverrideNode?
  ) -> (Environment, hasCaptured: Bool) {
    creations.add(1, ordering: .relaxed)
    defer { creations.subtract(1, ordering: .relaxed) }
    let environment = CurrentScope.enter(node) { Environment() }
    guard let captured = environment.scope.node.marks, captured.original === self else {
      return (environment, false)
    }
    captured.isOwners.store(true, ordering: .releasing)
    return (environment, true)
  }

  /// This scope, for a value to capture where it is current.
  var captured: OverrideNode? {
    creations.load(ordering: .relaxed) == 0 ? unmarked : MarkedScope(capturing: self).node
  }

  /// The same scope without marks.
  ///
  /// An override that the owner set before its key was aliased counts for all of the aliased keys,
  /// as it does when the environment is recreated.
  var unmarked: OverrideNode? {
    if let original { return original.unmarked }
    let store = plain.store
    let epoch = store.aliasEpoch
    if epoch == builtAt { return plain }
    if let settled = settled.withLock({ $0 }), settled.epoch == epoch { return settled.node }
    let aliased = own.forKeysAliased(in: store)
    let node = aliased.reduce(plain) { node, override in
      own.contains(override)
        ? node : override.copy(on: node, aliasEpoch: epoch)
    }
    let outdated = settled.withLock { settled in
      let outdated = settled
      settled = Settled(epoch: epoch, node: node)
      return outdated
    }
    // After the lock, because freeing a scope may run user code.
    return withExtendedLifetime(outdated) { node }
  }
}

extension [KeptOverride] {
  /// These overrides, each repeated for every key aliased to its own.
  fileprivate func forKeysAliased(in store: GlobalStore) -> [KeptOverride] {
    var all: [KeptOverride] = []
    for override in self where !all.contains(where: { $0.id == override.id }) {
      guard let keys = store.aliasedKeys(with: override.id) else {
        all.append(override)
        continue
      }
      let ids = keys.map { ObjectIdentifier($0) }
      let winner = ids.lazy.compactMap { id in self.first { $0.id == id } }.first ?? override
      winner.prepareIdentity(forCopiesFor: keys)
      for (key, id) in zip(keys, ids) {
        all.append(id == winner.id ? winner : winner.copy(for: key))
      }
    }
    return all
  }
}

extension OverrideNode {
  /// Whether this is a ``MarkedScope``.
  @inline(__always)
  var isMarked: Bool { holdsObject }
}

extension OverrideNode? {
  var isMarked: Bool { self?.isMarked ?? false }

  /// This scope, if it is marked.
  var marks: MarkedScope? {
    guard let self, self.isMarked else { return nil }
    return withExtendedLifetime(self) { self.newest!.value(as: MarkedScope.self) }
  }

  /// The same scope without marks.
  @usableFromInline
  var unmarked: OverrideNode? {
    if let marks { marks.unmarked } else { self }
  }

  /// The overrides set on the environment of type `owner` that captured this scope.
  func own(of owner: Any.Type) -> [KeptOverride] {
    marks?.own(of: owner) ?? []
  }
}
