internal import Synchronization

/// A reference that any thread may set, once.
///
/// It owns its object. The plain form is an `AtomicLazyReference`. Its code isn't inlined, and it retains
/// what it returns: each override of an update takes 1.6 times as long.
struct SetOnce<Object: AnyObject & Sendable>: ~Copyable, Sendable {
  /// The address of the object; 0 if there is none yet.
  private let address = Atomic<UInt>(0)

  deinit { object?.release() }

  /// The object, which lives as long as this.
  var object: Unretained<Object>? {
    let address = address.load(ordering: .acquiring)
    return address == 0 ? nil : Unretained(address: address)
  }

  /// Sets the object unless there is one already, and returns the one that is set.
  func set(_ new: consuming Object) -> Unretained<Object> {
    let new = Unretained.retaining(new)
    let (isFirst, first) = address.compareExchange(
      expected: 0, desired: new.address, ordering: .acquiringAndReleasing)
    if isFirst { return new }
    new.release()
    return Unretained(address: first)
  }
}
