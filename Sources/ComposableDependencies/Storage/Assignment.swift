internal import Synchronization

/// A value that a key path is setting.
///
/// Swift reads a property before it sets it through a key path, and drops what it has read. This value
/// is good enough for that, and saves the computation of a default.
@usableFromInline
final class Assignment: Sendable {
  private let valueType: Any.Type
  /// The address of the value; 0 after the end.
  private let address: Atomic<UInt>
  /// The thread that sets it; what it has read is of no use to others.
  private let thread = runningThread

  init(of valueType: Any.Type, at address: UInt) {
    self.valueType = valueType
    self.address = Atomic(address)
  }

  /// The address of the value, for a read of this type by the code that sets it.
  func address(for type: Any.Type) -> UInt? {
    guard thread == runningThread, type == valueType else { return nil }
    let address = address.load(ordering: .relaxed)
    return address == 0 ? nil : address
  }

  /// Ends the assignment, although a scope that began in it may still exist.
  func end() { address.store(0, ordering: .relaxed) }
}

extension AnyKeyPath {
  /// Whether setting this drops what it reads: it names one property, or one subscript.
  ///
  /// A longer path changes what it reads.
  var hasOneComponent: Bool {
    // Sound: a key path is an object of two words, a pointer, and the components, which begin with 32
    // bits. One of them says this since Swift 5.10; before, it was 0.
    withExtendedLifetime(self) {
      let bits = unsafe UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque())
        .load(fromByteOffset: 3 * MemoryLayout<UInt>.size, as: UInt32.self)
      return bits & 0x2000_0000 != 0
    }
  }
}
