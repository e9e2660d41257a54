/// What the language tells about a type only by its metadata: its kind, and a value's case.
///
/// No public function tells in which case a value of an unknown enum is: names are ambiguous
/// (`set(width:)` and `set(height:)`), descriptions can be replaced, and bytes beside the tag are
/// undefined. The value witness table tells exactly that, for every enum, by one call.
enum TypeMetadata {
  /// Whether values of the type have a tag.
  static func hasCases(_ type: Any.Type) -> Bool {
    #if arch(wasm32) || _ptrauth(_arm64e)
      // Witnesses are called by another convention there, or through signed pointers.
      return false
    #else
      // Sound: a type's metadata lives for ever, one word after the pointer to its witnesses; both
      // layouts are part of Swift's stable ABI, and the same on Linux and Windows.
      let witnesses = unsafe metadata(type).load(fromByteOffset: -word, as: UnsafeRawPointer.self)
      let flags = unsafe witnesses.load(fromByteOffset: flagsOffset, as: UInt32.self)
      return flags & hasEnumWitnesses != 0
    #endif
  }

  /// The number of the value's case; nothing for a value of no Swift enum.
  static func tag<Value>(of value: Value) -> UInt32? {
    guard hasCases(Value.self) else { return nil }
    // Sound: the flag says that this witness is there. It only reads the value, and takes its two
    // pointers as a C function does on every architecture that passes the check above.
    let metadata = unsafe metadata(Value.self)
    let witnesses = unsafe metadata.load(fromByteOffset: -word, as: UnsafeRawPointer.self)
    let getEnumTag = unsafe witnesses.load(fromByteOffset: flagsOffset + 8, as: GetEnumTag.self)
    return unsafe withUnsafePointer(to: value) { unsafe getEnumTag($0, metadata) }
  }

  /// The types of a tuple's elements, also of one labelled element; nothing for any other type.
  static func tupleElements(_ type: Any.Type) -> [Any.Type]? {
    guard kind(type) == 0x301 else { return nil }
    // Sound: a tuple's metadata is its kind, the count, the labels, and a type and offset for each.
    let metadata = unsafe metadata(type)
    let count = unsafe metadata.load(fromByteOffset: word, as: Int.self)
    return (0..<count).map { index in
      unsafe metadata.load(fromByteOffset: (3 + 2 * index) * word, as: Any.Type.self)
    }
  }

  /// Whether two types are the same but for the labels of tuples; a labelled value is a tuple of one.
  static func areSame(_ type: Any.Type, _ other: Any.Type) -> Bool {
    if type == other { return true }
    let (elements, others) = (tupleElements(type), tupleElements(other))
    if let elements, elements.count == 1 { return areSame(elements[0], other) }
    guard let elements, let others, elements.count == others.count else { return false }
    return zip(elements, others).allSatisfy(areSame)
  }

  /// Whether the type is that of a function, or the metatype of one type.
  static func isFunctionOrMetatype(_ type: Any.Type) -> Bool {
    kind(type) == 0x302 || kind(type) == 0x304
  }

  private static func kind(_ type: Any.Type) -> Int {
    // Sound: the metadata of every type begins with its kind; for a class, with a pointer.
    unsafe metadata(type).load(as: Int.self)
  }

  private static func metadata(_ type: Any.Type) -> UnsafeRawPointer {
    unsafe unsafeBitCast(type, to: UnsafeRawPointer.self)
  }

  private typealias GetEnumTag = @convention(c) (UnsafeRawPointer, UnsafeRawPointer) -> UInt32

  private static let word = MemoryLayout<Int>.size
  // After eight functions, the size and the stride; followed by the extra inhabitant count.
  private static let flagsOffset = 10 * word
  private static let hasEnumWitnesses: UInt32 = 0x20_0000
}
