internal import Synchronization

/// What scopes own of their global store: the store, and the instances of shared keys over it.
///
/// An instance that captured the scope of its `make` owns the store by an owner of that scope's own,
/// which doesn't own the instances. So instances don't keep themselves alive.
@safe
final class StoreOwner: Sendable {
  static let process = StoreOwner(.process)

  let store: GlobalStore
  /// Whose instances the scope of a `make` shares; `nil` otherwise.
  private weak let tracked: StoreOwner?
  // Made when first needed, because most stores have none.
  private let made = unsafe Atomic<Unmanaged<SharedInstances>?>(nil)

  init(_ store: GlobalStore) {
    self.store = store
    tracked = nil
  }

  /// An owner for the scope of a `make`.
  init(tracking owner: StoreOwner) {
    store = owner.store
    tracked = owner
  }

  deinit {
    unsafe made.load(ordering: .acquiring)?.release()
  }

  /// Whose instances the scopes of this owner share.
  var main: StoreOwner { tracked ?? self }

  @inline(__always)
  var unownedInstances: Unowned<SharedInstances>? {
    unsafe Unowned.optional(made.load(ordering: .acquiring))
  }

  var instances: SharedInstances? { unownedInstances?.object }

  var madeInstances: SharedInstances {
    if let instances { return instances }
    let new = SharedInstances(over: store)
    let retained = unsafe Unmanaged.passRetained(new)
    let (isFirst, kept) = unsafe made.compareExchange(
      expected: nil, desired: retained, ordering: .acquiringAndReleasing)
    if isFirst { return new }
    unsafe retained.release()
    return unsafe kept!.takeUnretainedValue()
  }
}
