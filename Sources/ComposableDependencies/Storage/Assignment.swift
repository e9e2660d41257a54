internal import Synchronization

// Each `unsafe` here is sound, because an assignment that has begun lives until it ends, and its value as
// long, on one thread.

/// A value that a key path is setting on the running thread.
///
/// Swift reads a property before it sets it through a key path, and drops what it has read. This value
/// is good enough for that, and saves the computation of a default.
// Not an object that the scope refers to, which would take a quarter longer.
@safe
@usableFromInline
struct Assignment {
  /// The address of the innermost one on a thread.
  private static let innermost = ThreadWord()

  private var value: UnsafeRawPointer?
  /// `nil` once something was read.
  private var valueType: Any.Type?
  private var scope: Unretained<ScopeNode>?
  private var outer: UInt

  /// Begins an assignment, which must not move before its end.
  ///
  /// - Parameter value: The value, which must live until the end.
  static func begin(
    _ assignment: UnsafeMutablePointer<Assignment>, of valueType: Any.Type,
    at value: UnsafeRawPointer, in scope: Unretained<ScopeNode>
  ) {
    unsafe assignment.pointee = Assignment(
      value: value, valueType: valueType, scope: scope, outer: innermost.value)
    innermost.value = UInt(bitPattern: assignment)
    scope.borrow {
      // Threads that only read it don't wait for each other.
      if !$0.hasAssignments.load(ordering: .relaxed) {
        $0.hasAssignments.store(true, ordering: .relaxed)
      }
    }
  }

  @usableFromInline
  static func end(_ assignment: UnsafeMutablePointer<Assignment>) {
    let ended = unsafe assignment.pointee
    if ended.scope != nil { innermost.value = ended.outer }
  }

  /// Whether a read of a scope may be that of a key path that sets.
  static func mayBeRead(in scope: ScopeNode) -> Bool {
    scope.hasAssignments.load(ordering: .relaxed) && innermost.value != 0
  }

  /// The address of the value, if the first read in its scope is of its type.
  ///
  /// Later ones may be those of a default that the property needs.
  static func take(for type: Any.Type, in scope: Unretained<ScopeNode>) -> UnsafeRawPointer? {
    guard let address = unsafe UnsafeMutablePointer<Assignment>(bitPattern: innermost.value)
    else { return nil }
    let current = unsafe address.pointee
    guard current.scope == scope else { return nil }
    unsafe address.pointee.valueType = nil
    return unsafe current.valueType == type ? current.value : nil
  }
}

extension Assignment {
  /// Creates an assignment that hasn't begun.
  @usableFromInline init() { unsafe self.init(outer: 0) }
}

extension AnyKeyPath {
  /// Whether setting this drops what it reads: it names one property, or one subscript.
  ///
  /// A longer path changes what it reads.
  var hasOneComponent: Bool { Self.knowsComponents && saysOneComponent }

  /// Whether key paths say that where this package reads it; otherwise, a default is computed.
  private static let knowsComponents: Bool = {
    let (one, two): (AnyKeyPath, AnyKeyPath) = (\String.utf8, \String.utf8.count)
    return one.saysOneComponent && !two.saysOneComponent
  }()

  private var saysOneComponent: Bool {
    // Sound: a key path is an object of two words, a pointer, and the components, which begin with 32
    // bits. One of them says this since Swift 5.10; before, it was 0.
    withExtendedLifetime(self) {
      let bits = unsafe UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque())
        .load(fromByteOffset: 3 * MemoryLayout<UInt>.size, as: UInt32.self)
      return bits & 0x2000_0000 != 0
    }
  }
}
