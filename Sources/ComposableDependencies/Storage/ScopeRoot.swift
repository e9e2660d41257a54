internal import Synchronization

/// What all scopes that are built on one root have in common.
final class ScopeRoot: Sendable {
  let store: GlobalStore
  /// Whether this is the root of scopes that were built outside any scope.
  let beganOutsideAnyScope: Bool
  /// What watches the reads of these scopes, if anything does.
  let probe: KeyProbe?
  /// The address of the attachment, which this owns; 0 if there is none.
  private let attachment = Atomic<UInt>(0)

  static let process = ScopeRoot(.process)

  init(_ store: GlobalStore, beganOutsideAnyScope: Bool = false, probe: KeyProbe? = nil) {
    self.store = store
    self.beganOutsideAnyScope = beganOutsideAnyScope
    self.probe = probe
  }

  deinit { attached?.release() }

  /// Whether each read that finds no override in the scope itself notifies something.
  var watchesReads: Bool {
    // A pattern, because debug builds call functions for `!=` and `||`.
    if case .some = probe { return true }
    return Unretained(store).borrow { $0.isWatched }
  }
}

extension ScopeRoot {
  /// Calls `body` with what another module keeps for all scopes over one global store.
  ///
  /// - Returns: `nil` in a probe that has ended.
  func withAttachment<R>(
    makingOne make: () -> any KeyListener, _ body: (AnyObject) -> R
  ) -> R? {
    if let probe {
      guard case .of(let original) = probe.original else { return nil }
      return original.root.withAttachment(makingOne: make, body)
    }
    // Scopes that were built outside any scope read as the root does.
    if beganOutsideAnyScope { return Self.process.withAttachment(makingOne: make, body) }
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
