/// A reference that retains nothing.
///
/// For objects that something else keeps alive while this reference is used. Retaining one costs
/// more than the rest of a read, and two threads that retain the same object slow each other down
/// fivefold.
///
/// This is the only type in the core that handles uncounted references.
// Frozen and usable from inline code, although no client uses it: otherwise other modules copy more of
// the structures that contain one, and an action through three pullbacks takes 500 instead of 350.
@safe
@frozen
@usableFromInline
struct Unowned<Object: AnyObject>: Equatable {
  @usableFromInline let reference: Unmanaged<Object>

  @usableFromInline
  @inline(__always)
  init(_ object: Object) {
    unsafe reference = .passUnretained(object)
  }

  /// Wraps an optional object.
  ///
  /// Unwrapping it first would retain it.
  @inline(__always)
  static func optional(_ object: Object?) -> Unowned? {
    let reference = unsafe unsafeBitCast(object, to: Unmanaged<Object>?.self)
    return unsafe reference.map { unsafe Unowned(reference: $0) }
  }

  /// Retains an object until ``release()`` or ``takeRetained()``.
  @inline(__always)
  static func retaining(_ object: consuming Object) -> Unowned {
    unsafe Unowned(reference: .passRetained(object))
  }

  /// An object that something else keeps alive.
  @inline(__always)
  static func optional(_ object: Unmanaged<Object>?) -> Unowned? {
    unsafe object.map { unsafe Unowned(reference: $0) }
  }

  var address: UInt { unsafe UInt(bitPattern: reference.toOpaque()) }

  /// The object at an address.
  init(address: UInt) {
    unsafe self.init(reference: .fromOpaque(UnsafeRawPointer(bitPattern: address)!))
  }

  private init(reference: Unmanaged<Object>) {
    unsafe self.reference = reference
  }

  /// Retains the object until ``release()`` or ``takeRetained()``.
  @inline(__always)
  func retained() -> Unowned {
    unsafe Unowned(reference: reference.retain())
  }

  func release() { unsafe reference.release() }

  func takeRetained() -> Object { unsafe reference.takeRetainedValue() }

  /// Calls `body` with the object, which must stay alive until `body` returns.
  @_alwaysEmitIntoClient
  @inline(__always)
  func borrow<R>(_ body: (Object) -> R) -> R {
    unsafe reference._withUnsafeGuaranteedRef(body)
  }

  /// The object, retained.
  @inline(__always)
  var object: Object { unsafe reference.takeUnretainedValue() }

  @usableFromInline
  static func == (lhs: Unowned, rhs: Unowned) -> Bool {
    unsafe lhs.reference.toOpaque() == rhs.reference.toOpaque()
  }
}

extension Unowned: Sendable where Object: Sendable {}
