// The raw tools of the storage: references that retain nothing, objects with memory of their own
// layout, and hashes of addresses.
//
// Each `unsafe` here is sound if the object of a reference is alive, which is up to who keeps one. Where
// there is another reason, it stands beside it.
//
// What is small is transparent in this folder, because debug builds inline nothing else: with
// `@inline(__always)` in its place, entering a scope takes them a third longer.

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
package struct Unretained<Object: AnyObject>: Equatable {
  @usableFromInline let reference: Unmanaged<Object>

  @usableFromInline
  @_transparent
  package init(_ object: borrowing Object) {
    unsafe reference = .passUnretained(object)
  }

  private init(reference: Unmanaged<Object>) {
    unsafe self.reference = reference
  }

  /// Wraps an optional object.
  ///
  /// Unwrapping it first would retain it.
  @_transparent
  static func optional(_ object: Object?) -> Unretained? {
    // Sound: all three are one pointer, and 0 is `nil`.
    unsafe unsafeBitCast(object, to: Unretained?.self)
  }

  /// Retains an object until ``release()`` or ``takeRetained()``.
  @_transparent
  package static func retaining(_ object: consuming Object) -> Unretained {
    unsafe Unretained(reference: .passRetained(object))
  }

  /// The address of an object, to compare it without retaining it; 0 for `nil`.
  @_alwaysEmitIntoClient
  @_transparent
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

  /// Retains the object until ``release()`` or ``takeRetained()``.
  @_transparent
  func retained() -> Unretained {
    // A debug build retains once here, and twice in `retain()`.
    unsafe Unretained(reference: reference._withUnsafeGuaranteedRef { unsafe .passRetained($0) })
  }

  package func release() { unsafe reference.release() }

  package func takeRetained() -> Object { unsafe reference.takeRetainedValue() }

  /// Puts this retained object in place of one whose reference something else owns by now.
  @_transparent
  func overwrite(_ reference: UnsafeMutablePointer<Object?>) {
    // Sound: both are one pointer.
    unsafe UnsafeMutableRawPointer(reference).storeBytes(of: address, as: UInt.self)
  }

  /// Calls `body` with the object, which must stay alive until `body` returns.
  @_alwaysEmitIntoClient
  @_transparent
  package func borrow<R>(_ body: (Object) -> R) -> R {
    unsafe reference._withUnsafeGuaranteedRef(body)
  }

  /// The object, retained.
  @_transparent
  package var object: Object { unsafe reference.takeUnretainedValue() }

  @usableFromInline
  package static func == (lhs: Unretained, rhs: Unretained) -> Bool {
    // Sound: the addresses are only compared.
    unsafe lhs.reference.toOpaque() == rhs.reference.toOpaque()
  }
}

extension Unretained: Sendable where Object: Sendable {}

// MARK: - Memory behind an object

/// Where the memory of an object begins that has a head and elements in place of stored properties.
///
/// They are plain values: what they own, the object's `deinit` releases.
// Not a `ManagedBuffer`, which isn't sendable, and whose generic code debug builds don't specialize.
@frozen
@usableFromInline
struct TailLayout {
  /// The offset of the head, in bytes.
  @usableFromInline let head: Int
  /// The offset of the first element.
  @usableFromInline let elements: Int

  /// - Parameters:
  ///   - elementAlignment: A power of two, as every alignment.
  ///   - wordSize: The size of a pointer. Objects begin with two: their type, and their references.
  @_alwaysEmitIntoClient
  @_transparent
  init(
    headSize: Int, headAlignment: Int, elementAlignment: Int, wordSize: Int
  ) {
    head = Self.roundUp(2 &* wordSize, headAlignment)
    elements = Self.roundUp(head &+ headSize, elementAlignment)
  }

  @_alwaysEmitIntoClient
  @_transparent
  static func roundUp(_ offset: Int, _ alignment: Int) -> Int {
    (offset &+ alignment &- 1) & ~(alignment &- 1)
  }

  /// Returns a retained object of a class without stored properties, with uninitialized memory.
  ///
  /// - Parameter bytes: The size of the elements.
  @_transparent
  func make<Object: AnyObject>(_ type: Object.Type, bytes: Int) -> Unretained<Object> {
    let wordSize = MemoryLayout<UInt>.size
    let words = (elements &+ bytes &- 2 &* wordSize &+ wordSize &- 1) / wordSize
    let buffer = ManagedBufferPointer<Void, UInt>(
      bufferClass: type, minimumCapacity: words, makingHeaderWith: { _, _ in })
    // Sound: a buffer pointer is a single reference, to an object of this class.
    return unsafe .retaining(unsafeBitCast(buffer, to: Object.self))
  }
}

// MARK: - Hashes

/// Spreads the addresses that identify keys.
struct KeyHash {
  private let product: UInt64

  @_transparent
  init(_ id: ObjectIdentifier) {
    self.init(UInt(bitPattern: id))
  }

  @_transparent
  init(_ address: UInt) {
    // 2⁶⁴ divided by the golden ratio, made odd, so that evenly spaced addresses end up far apart.
    product = UInt64(address) &* 0x9E37_79B9_7F4A_7C15
  }

  /// A byte that isn't 0.
  @_transparent
  var tag: UInt64 { product >> 57 | 0x80 }

  /// The highest bit of each byte of `tags` that is this tag.
  @_transparent
  func matches(in tags: UInt64) -> UInt64 {
    let lowBits: UInt64 = 0x7F7F_7F7F_7F7F_7F7F
    // A byte is 0 where the tags are equal.
    let difference = tags ^ (tag &* 0x0101_0101_0101_0101)
    return ~(((difference & lowBits) &+ lowBits) | difference | lowBits)
  }

  /// A slot within `mask`, computed from other bits than ``tag``.
  @_transparent
  func slot(_ mask: Int) -> Int { Int(truncatingIfNeeded: product >> 26) & mask }
}
