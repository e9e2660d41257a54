/// The location of a payload: in a case of an enum, possibly inside optionals.
// Sound throughout: the functions that the compiler generated for the enum get values of that enum, and
// payloads of the case whose tag was checked.
@usableFromInline
final class CaseLocation: Sendable {
  /// The optionals around the enum, the outermost first.
  private let optionals: [Step]
  private let last: Step
  /// Whether the payload is in its own box.
  @usableFromInline let isIndirect: Bool

  /// Locates a case of a type; `nil` if the type isn't an enum.
  convenience init?(_ type: Any.Type, tag: UInt32, isIndirect: Bool = false) {
    guard let step = Step(type, tag: tag) else { return nil }
    self.init([], step, isIndirect)
  }

  private init(_ optionals: [Step], _ last: Step, _ isIndirect: Bool) {
    self.optionals = optionals
    self.last = last
    self.isIndirect = isIndirect
  }

  /// Returns the location in the payload of an optional of a type.
  func inside(ofOptional type: Any.Type) -> CaseLocation? {
    Step(type, tag: 0).map { CaseLocation([$0] + optionals, last, isIndirect) }
  }

  /// The enum and the tag of the case.
  var end: (type: Any.Type, tag: UInt32) { (last.type, last.tag) }

  /// Returns the payload of a value in the case.
  ///
  /// Inlined into the code that creates a path: with known types, it takes a tenth of the time.
  ///
  /// - Parameter type: The payload's type, ignoring labels of tuples; `Void` for no payload.
  @inlinable
  func extract<Root, Value>(_ type: Value.Type, from root: Root) -> Value? {
    guard unsafe withUnsafePointer(to: root, { unsafe contains($0) }) else { return nil }
    // A payload without bytes stays in its enum.
    if MemoryLayout<Value>.size == 0 {
      return unsafe withUnsafePointer(to: root) {
        unsafe UnsafeRawPointer($0).assumingMemoryBound(to: Value.self).pointee
      }
    }
    // Sound: the memory holds its own copy of the root. Either it is turned into the payload, which
    // is moved out, or it becomes a root again after the payload was copied.
    return unsafe withUnsafeTemporaryAllocation(of: Root.self, capacity: 1) { memory in
      let copy = memory.baseAddress!
      unsafe copy.initialize(to: root)
      unsafe project(copy)
      if !isIndirect {
        return unsafe UnsafeMutableRawPointer(copy).bindMemory(to: Value.self, capacity: 1).move()
      }
      // Sound: an object begins with two words, followed by its aligned value. No alignment exceeds
      // 16, so it matters only where a word has 32 bits.
      let box = unsafe UnsafeRawPointer(copy).load(as: UnsafeRawPointer.self)
      let offset = max(2 * MemoryLayout<Int>.size, MemoryLayout<Value>.alignment)
      let value = unsafe (box + offset).assumingMemoryBound(to: Value.self).pointee
      unsafe inject(copy)
      unsafe copy.deinitialize(count: 1)
      return value
    }
  }

  /// Whether a value is in the case.
  @usableFromInline
  func contains(_ root: UnsafeRawPointer) -> Bool {
    // Sound: an optional stores the value that it wraps unchanged, at its own address.
    for optional in optionals where unsafe !optional.isTag(of: root) { return false }
    return unsafe last.isTag(of: root)
  }

  /// Turns a value in the case into its payload, or into the box of an indirect one, in place.
  @usableFromInline
  func project(_ root: UnsafeMutableRawPointer) {
    unsafe last.project(root)
  }

  /// Reverses `project`.
  @usableFromInline
  func inject(_ payload: UnsafeMutableRawPointer) {
    unsafe last.inject(payload)
  }
}

extension CaseLocation {
  /// One case of one enum, accessed with functions that the compiler generated for that enum.
  // Sound to share: metadata and witnesses never change, and live as long as the process.
  @safe
  private struct Step: @unchecked Sendable {
    let type: Any.Type
    let tag: UInt32
    private let metadata: UnsafeRawPointer
    private let getTag: TypeMetadata.GetEnumTag
    private let projectPayload: ProjectPayload
    private let injectTag: InjectTag

    init?(_ type: Any.Type, tag: UInt32) {
      guard let witnesses = unsafe TypeMetadata.enumWitnesses(type) else { return nil }
      let word = TypeMetadata.word
      self.type = type
      self.tag = tag
      // Sound: the three witnesses of an enum take their pointers like C functions, on every
      // architecture that `enumWitnesses` supports.
      unsafe metadata = TypeMetadata.pointer(type)
      unsafe getTag = witnesses.load(as: TypeMetadata.GetEnumTag.self)
      unsafe projectPayload = witnesses.load(fromByteOffset: word, as: ProjectPayload.self)
      unsafe injectTag = witnesses.load(fromByteOffset: 2 * word, as: InjectTag.self)
    }

    func isTag(of root: UnsafeRawPointer) -> Bool {
      unsafe getTag(root, metadata) == tag
    }

    func project(_ root: UnsafeMutableRawPointer) {
      unsafe projectPayload(root, metadata)
    }

    func inject(_ payload: UnsafeMutableRawPointer) {
      unsafe injectTag(payload, tag, metadata)
    }

    private typealias ProjectPayload =
      @convention(c) (UnsafeMutableRawPointer, UnsafeRawPointer) -> Void
    private typealias InjectTag =
      @convention(c) (UnsafeMutableRawPointer, UInt32, UnsafeRawPointer) -> Void
  }
}
