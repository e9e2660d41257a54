internal import Synchronization

/// What all scopes that are built on one root have in common.
final class ScopeRoot: Sendable {
  let store: GlobalStore
  /// Whether this is the root of scopes that were built outside any scope.
  let isLost: Bool
  /// What watches the reads of these scopes, if anything does.
  let probe: KeyProbe?
  /// The options of a store with which a read of a default does more than call `defaultValue`.
  let concerns: StoreOptions
  private let attachment = AtomicLazyReference<Attachment>()

  static let process = ScopeRoot(.process)
  static let outsideAnyScope = ScopeRoot(.process, isLost: true)

  init(_ store: GlobalStore, isLost: Bool = false, probe: KeyProbe? = nil) {
    self.store = store
    self.isLost = isLost
    self.probe = probe
    var concerns: StoreOptions = [.testValues, .observingReads]
    if isLost { concerns.insert(.observingLostReads) }
    if probe != nil { concerns.insert(.always) }
    self.concerns = concerns
  }

  /// Whether each read that finds no override in the scope itself notifies something.
  var observesReads: Bool { probe != nil || store.options.contains(.observingReads) }
}

extension ScopeRoot {
  /// A reference to an object that can be published once.
  private final class Attachment: Sendable {
    let object: any AnyObject & Sendable
    init(_ object: any AnyObject & Sendable) { self.object = object }
  }

  /// What another module keeps for all scopes over one global store.
  ///
  /// A probe's root has nothing of its own.
  func attached(
    makingOne make: () -> any AnyObject & Sendable
  ) -> (any AnyObject & Sendable)? {
    if let probe { return probe.original?.attached(makingOne: make) }
    // Scopes that were built outside any scope read as the root does.
    let root = isLost ? .process : self
    return (root.attachment.load() ?? root.attachment.storeIfNil(Attachment(make()))).object
  }
}
