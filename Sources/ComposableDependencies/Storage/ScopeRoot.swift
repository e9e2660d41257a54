internal import Synchronization

/// What all scopes that are built on one root have in common.
final class ScopeRoot: Sendable {
  let store: GlobalStore
  /// Whether this is the root of scopes that were built outside any scope.
  let isLost: Bool
  /// What watches the reads of these scopes, if anything does.
  let probe: KeyProbe?
  /// Whether this root may have an attachment, which then listens to its store.
  private let isAttachable: Bool
  /// The options with which the store's watcher is notified of reads.
  private let watched: StoreOptions
  /// The options of a store with which a read of a default does more than call `defaultValue`.
  let concerns: StoreOptions
  /// The address of the attachment, which this owns; 0 if there is none.
  private let attachment = Atomic<UInt>(0)

  static let process = ScopeRoot(.process)
  static let outsideAnyScope = ScopeRoot(.process, isLost: true)

  init(
    _ store: GlobalStore, isLost: Bool = false, probe: KeyProbe? = nil, isAttachable: Bool = true
  ) {
    self.isAttachable = isAttachable
    self.store = store
    self.isLost = isLost
    self.probe = probe
    watched = isLost ? [.watchingReads, .watchingLostReads] : .watchingReads
    concerns = watched.union(probe == nil ? .testValues : [.testValues, .always])
  }

  deinit { attached?.release() }

  /// Whether each read that finds no override in the scope itself notifies something.
  var watchesReads: Bool { probe != nil || storeWatchesReads }

  /// Whether the store's watcher is notified of reads in these scopes: of globals and defaults.
  var storeWatchesReads: Bool { !store.options.isDisjoint(with: watched) }
}

extension ScopeRoot {
  /// Calls `body` with what another module keeps for all scopes over one global store.
  ///
  /// - Returns: `nil` in a probe that has ended: its root has nothing of its own.
  func withAttachment<R>(
    makingOne make: () -> any KeyListener, _ body: (AnyObject) -> R
  ) -> R? {
    if let probe {
      guard case .of(let original) = probe.original else { return nil }
      return original.root.withAttachment(makingOne: make, body)
    }
    if !isAttachable { return nil }
    // Scopes that were built outside any scope read as the root does.
    if isLost { return Self.process.withAttachment(makingOne: make, body) }
    // Unretained, because every reading thread would retain it.
    return (attached ?? attach(make)).borrow(body)
  }

  private var attached: Unretained<AnyObject>? {
    let address = attachment.load(ordering: .acquiring)
    return address == 0 ? nil : Unretained(address: address)
  }

  private func attach(_ make: () -> any KeyListener) -> Unretained<AnyObject> {
    store.listen {
      if attached != nil { return nil }
      let new = make()
      attachment.store(Unretained<AnyObject>.retaining(new).address, ordering: .releasing)
      return new
    }
    return attached!
  }
}
