/// The location of a payload: in a case of an enum, possibly inside an optional.
@usableFromInline
final class CaseLocation: Sendable {
  private let first: Step
  private let others: [Step]
  private let last: Step

  /// Locates a case of a type; `nil` if the type isn't an enum.
  convenience init?(_ type: Any.Type, tag: UInt32, isIndirect: Bool = false) {
    guard let step = Step(type, tag: tag, isIndirect: isIndirect) else { return nil }
    self.init(step, [])
  }

  private init(_ first: Step, _ others: [Step]) {
    self.first = first
    self.others = others
    last = others.last ?? first
  }

  /// Returns the location in the payload of an optional of a type.
  func inside(ofOptional type: Any.Type) -> CaseLocation? {
    Step(type, tag: 0, isIndirect: false).map { CaseLocation($0, [first] + others) }
  }

  /// The enum and the tag of the case.
  var end: (type: Any.Type, tag: UInt32) { (last.type, last.tag) }

  /// Whether a value is in the case.
  func contains<Root>(_ root: Root) -> Bool {
    if others.isEmpty { return unsafe withUnsafePointer(to: root) { unsafe mayContain($0) } }
    return extract(Void.self, from: root) != nil
  }

  /// Returns the payload of a value in the case.
  ///
  /// Inlined into the code that creates a path: with known types, it takes a tenth of the time.
  ///
  /// - Parameter type: The payload's type, ignoring labels of tuples; `Void` for no payload.
  @inlinable
  func extract<Root, Value>(_ type: Value.Type, from root: Root) -> Value? {
    guard unsafe withUnsafePointer(to: root, { unsafe mayContain($0) }) else { return nil }
    // Sound: the memory holds its own copy of the root. Either it is turned into the payload, which
    // is moved out, or it becomes a root again after the payload was copied.
    return unsafe withUnsafeTemporaryAllocation(of: Root.self, capacity: 1) { memory in
      let copy = memory.baseAddress!
      unsafe copy.initialize(to: root)
      let isEmpty = MemoryLayout<Value>.size == 0
      let payload = unsafe open(copy, isEmpty, MemoryLayout<Value>.alignment)
      guard let payload = unsafe payload else {
        unsafe copy.deinitialize(count: 1)
        return nil
      }
      if !isEmpty && !isIndirect {
        return unsafe payload.bindMemory(to: Value.self, capacity: 1).move()
      }
      let value = unsafe payload.assumingMemoryBound(to: Value.self).pointee
      unsafe close(copy, isEmpty)
      unsafe copy.deinitialize(count: 1)
      return value
    }
  }

  /// Whether a value is in the outermost case.
  @usableFromInline
  func mayContain(_ root: UnsafeRawPointer) -> Bool {
    unsafe first.isTag(of: root)
  }

  @usableFromInline var isIndirect: Bool { last.isIndirect }

  /// Turns a value in the outermost case into its payload, in place, and returns the payload's
  /// address.
  ///
  /// Returns `nil`, and leaves the value unchanged, if a value further inside is in another case.
  ///
  /// - Parameter isEmpty: Whether the payload has no bytes, and stays in its enum.
  @usableFromInline
  func open(
    _ memory: UnsafeMutableRawPointer, _ isEmpty: Bool, _ alignment: Int
  ) -> UnsafeMutableRawPointer? {
    // Sound: a projection turns an enum into its payload in place; both begin at the same address.
    for (depth, step) in others.enumerated() {
      unsafe (depth == 0 ? first : others[depth - 1]).project(memory)
      if unsafe !step.isTag(of: memory) {
        unsafe inject(memory, from: depth)
        return nil
      }
    }
    if isEmpty { return unsafe memory }
    unsafe last.project(memory)
    guard isIndirect else { return unsafe memory }
    // Sound: an object begins with two words, followed by its aligned value.
    let offset = (2 * TypeMetadata.word + alignment - 1) & ~(alignment - 1)
    return unsafe memory.load(as: UnsafeMutableRawPointer.self) + offset
  }

  /// Reverses `open`, after the payload was copied.
  @usableFromInline
  func close(_ memory: UnsafeMutableRawPointer, _ isEmpty: Bool) {
    if !isEmpty { unsafe last.inject(memory) }
    if !others.isEmpty { unsafe inject(memory, from: others.count - 1) }
  }

  private func inject(_ memory: UnsafeMutableRawPointer, from depth: Int) {
    for depth in (0...depth).reversed() {
      unsafe (depth == 0 ? first : others[depth - 1]).inject(memory)
    }
  }
}

extension CaseLocation {
  /// One case of one enum, accessed with functions that the compiler generated for that enum.
  // Sound to share: metadata and witnesses never change, and live as long as the process.
  @safe
  private struct Step: @unchecked Sendable {
    let type: Any.Type
    let tag: UInt32
    let isIndirect: Bool
    private let metadata: UnsafeRawPointer
    private let getTag: TypeMetadata.GetEnumTag
    private let projectPayload: ProjectPayload
    private let injectTag: InjectTag

    init?(_ type: Any.Type, tag: UInt32, isIndirect: Bool) {
      guard let witnesses = unsafe TypeMetadata.enumWitnesses(type) else { return nil }
      let word = TypeMetadata.word
      self.type = type
      self.tag = tag
      self.isIndirect = isIndirect
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
