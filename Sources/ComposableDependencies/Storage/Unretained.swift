// Each `unsafe` here is sound if the object of a reference is alive, which is up to who keeps one, or for
// the reason beside it.

/// A reference that retains nothing.
///
/// For objects that something else keeps alive while this reference is used. The plain form is a
/// reference: retaining one costs more than the rest of a read, and two threads that retain the same
/// object slow each other down fivefold.
///
/// This is the only type in the core that handles uncounted references.
// Frozen and usable from inline code, although no client uses it: otherwise other modules copy more of
// the structures that contain one, and an action through three pullbacks takes 500 instead of 350.
@safe
@frozen
@usableFromInline
package struct Unretained<Object: AnyObject>: Equatable {
  @usableFromInline let reference: Unmanaged<Object>

  package init(_ object: borrowing Object) {
    unsafe reference = .passUnretained(object)
  }

  private init(reference: Unmanaged<Object>) {
    unsafe self.reference = reference
  }

  /// Wraps an optional object.
  ///
  /// Unwrapping it first would retain it.
  static func optional(_ object: Object?) -> Unretained? {
    // Sound: all three are one pointer, and 0 is `nil`.
    unsafe unsafeBitCast(object, to: Unretained?.self)
  }

  /// Retains an object until ``release()``.
  package static func retaining(_ object: consuming Object) -> Unretained {
    unsafe Unretained(reference: .passRetained(object))
  }

  /// The address of an object, to compare it without retaining it; 0 for `nil`.
  @_alwaysEmitIntoClient
  static func address(of object: Object?) -> UInt {
    // Sound: the reference is one pointer.
    unsafe unsafeBitCast(object, to: UInt.self)
  }

  /// The address of the object, for an atomic word.
  var address: UInt { unsafe UInt(bitPattern: reference.toOpaque()) }

  /// The object at an address.
  init(address: UInt) {
    // Sound: `address` is the address of such an object.
    unsafe self.init(reference: .fromOpaque(UnsafeRawPointer(bitPattern: address)!))
  }

  /// Retains the object until ``release()``.
  func retained() -> Unretained { unsafe Unretained(reference: reference.retain()) }

  package func takeRetained() -> Object { unsafe reference.takeRetainedValue() }

  package func release() { unsafe reference.release() }

  /// Calls `body` with the object, which must stay alive until `body` returns.
  @_alwaysEmitIntoClient
  package func borrow<R>(_ body: (Object) -> R) -> R {
    unsafe reference._withUnsafeGuaranteedRef(body)
  }

  /// The object, retained.
  package var object: Object { unsafe reference.takeUnretainedValue() }

  @usableFromInline
  package static func == (lhs: Unretained, rhs: Unretained) -> Bool {
    // Sound: the addresses are only compared.
    unsafe lhs.reference.toOpaque() == rhs.reference.toOpaque()
  }
}

extension Unretained: Sendable where Object: Sendable {}
