internal import Synchronization

/// Some of the instances that were made from nothing: they stay until the global store goes, so they
/// are found without a lock.
// Unchecked because of the pointer, which never changes; what it points at is atomic.
@safe
struct IndependentInstances: ~Copyable, @unchecked Sendable {
  /// The address of an instance, in the slot that the hash of its key names.
  ///
  /// The first that comes to a slot stays there. `SharedInstances` owns it.
  private let slots: UnsafeMutablePointer<Atomic<UInt>>
  private static let mask = 31

  init() {
    unsafe slots = .allocate(capacity: Self.mask + 1)
    for slot in 0...Self.mask { unsafe (slots + slot).initialize(to: Atomic(0)) }
  }

  deinit {
    unsafe slots.deallocate()
  }

  @inline(__always)
  func find(_ id: ObjectIdentifier, _ read: (Unowned<Override>) -> Void) -> Bool {
    let word = unsafe slots[KeyHash(id).slot(Self.mask)].load(ordering: .acquiring)
    if word == 0 { return false }
    let instance = Unowned<Override>(address: word)
    if instance.id != id { return false }
    read(instance)
    return true
  }

  func insert(_ instance: Unowned<Override>) {
    _ = unsafe slots[KeyHash(instance.id).slot(Self.mask)].compareExchange(
      expected: 0, desired: instance.address, ordering: .acquiringAndReleasing)
  }
}
