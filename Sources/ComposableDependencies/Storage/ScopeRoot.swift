/// What all scopes that are built on one root have in common.
final class ScopeRoot: Sendable {
  let store: GlobalStore
  /// Whether this is the root of scopes that were built outside any scope.
  let beganOutsideAnyScope: Bool
  /// What watches the reads of these scopes, if anything does.
  let probe: KeyProbe?
  private let attachment = SetOnce<any AnyObject & Sendable>()

  static let process = ScopeRoot(.process)

  init(_ store: GlobalStore, beganOutsideAnyScope: Bool = false, probe: KeyProbe? = nil) {
    self.store = store
    self.beganOutsideAnyScope = beganOutsideAnyScope
    self.probe = probe
  }

  /// Whether each read that finds no override in the scope itself notifies something.
  var watchesReads: Bool { probe != nil || Unretained(store).borrow { $0.isWatched } }
}

extension ScopeRoot {
  /// Calls `body` with what another module keeps for all scopes over one global store.
  ///
  /// - Returns: Whether `body` was called: it isn't in a probe that has ended.
  func withAttachment(
    makingOne make: () -> any KeyListener, _ body: (AnyObject) -> Void
  ) -> Bool {
    if let probe {
      guard case .of(let original, _) = probe.original else { return false }
      return original.root.withAttachment(makingOne: make, body)
    }
    // Scopes that were built outside any scope read as the root does.
    if beganOutsideAnyScope { return Self.process.withAttachment(makingOne: make, body) }
    // Unretained, because every reading thread would retain it.
    (attachment.object ?? attach(make)).borrow(body)
    return true
  }

  private func attach(_ make: () -> any KeyListener) -> Unretained<any AnyObject & Sendable> {
    store.listen {
      if attachment.object != nil { return nil }
      let new = make()
      _ = attachment.set(new)
      return new
    }
    return attachment.object!
  }
}
