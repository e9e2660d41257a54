/// The scope that an environment captured, and the scope that code enters for it: the same without
/// marks.
///
/// If the environment has overrides of its own, an alias that is declared later changes what they
/// override, and so the scope to enter.
@usableFromInline
package struct CapturedScope: Sendable {
  package let captured: DependencyScope
  @usableFromInline package let entered: DependencyScope
  /// The aliases when ``entered`` was found.
  package let aliases: KnownAliases

  @usableFromInline
  package init(_ captured: DependencyScope) {
    self.captured = captured
    // Before the rest, so that an alias declared meanwhile is noticed.
    aliases = KnownAliases(of: captured.node)
    entered = captured.unmarked
  }

  /// Whether the captured scope has marks.
  @usableFromInline package var isMarked: Bool { captured.node.isMarked }
}

/// The aliases of a global store, as they were once.
///
/// Apart from the scope, which keeps the store alive, so that asking it retains nothing.
package struct KnownAliases: Sendable {
  private let store: Unowned<GlobalStore>
  private let epoch: UInt32

  init(of scope: OverrideNode?) {
    store = Unowned(scope.store)
    epoch = store.borrow { $0.aliasEpoch }
  }

  /// Whether aliases have changed since.
  package var areOutdated: Bool { store.borrow { $0.aliasEpoch } != epoch }
}
