/// Facts about a type that Swift exposes only through its metadata.
///
/// No public function returns the case of a value of an unknown enum, or the enum's cases: names
/// are ambiguous (`set(width:)` and `set(height:)`), descriptions and mirrors can be replaced, and
/// bytes beside the tag are undefined. The value witness table and the reflection metadata have
/// exactly this information.
// Sound throughout: these layouts are part of Swift's stable ABI, the same on Linux and Windows, and
// `hasKnownLayout` compares them with what the compiler says.
enum TypeMetadata {
  static let word = MemoryLayout<Int>.size

  /// Returns the function witnesses of an enum; `nil` for other types.
  static func enumWitnesses(_ type: Any.Type) -> UnsafeRawPointer? {
    #if arch(wasm32) || _ptrauth(_arm64e)
      // Witnesses use another calling convention there, or signed pointers.
      return nil
    #else
      guard hasKnownLayout else { return nil }
      // Sound: a type's metadata lives as long as the process, one word after the pointer to its
      // witnesses. Eight functions, the size and the stride precede the flags and a count.
      let witnesses = unsafe pointer(type).load(fromByteOffset: -word, as: UnsafeRawPointer.self)
      let flags = unsafe witnesses.load(fromByteOffset: 10 * word, as: UInt32.self)
      let hasEnumWitnesses: UInt32 = 0x20_0000
      return unsafe flags & hasEnumWitnesses == 0 ? nil : witnesses + 10 * word + 8
    #endif
  }

  /// Returns the number of a value's case; `nil` if its type isn't a Swift enum.
  static func tag<Value>(of value: Value) -> UInt32? {
    guard let witnesses = unsafe enumWitnesses(Value.self) else { return nil }
    // Sound: the first witness of an enum only reads the value, and takes its two pointers like a C
    // function, on every architecture that `enumWitnesses` supports.
    let getTag = unsafe witnesses.load(as: GetEnumTag.self)
    return unsafe withUnsafePointer(to: value) { unsafe getTag($0, pointer(Value.self)) }
  }

  typealias GetEnumTag = @convention(c) (UnsafeRawPointer, UnsafeRawPointer) -> UInt32

  /// Returns the types of a tuple's elements, even of a single labeled element; `nil` for other
  /// types.
  static func tupleElements(_ type: Any.Type) -> [Any.Type]? {
    guard kind(type) == tupleKind else { return nil }
    // Sound: a tuple's metadata is its kind, the count, the labels, and a type and offset for each.
    let metadata = unsafe pointer(type)
    let count = unsafe metadata.load(fromByteOffset: word, as: Int.self)
    return (0..<count).map { index in
      unsafe metadata.load(fromByteOffset: (3 + 2 * index) * word, as: Any.Type.self)
    }
  }

  /// Returns the labels of a tuple, each followed by a space; `nil` if there are none.
  static func tupleLabels(_ type: Any.Type) -> String? {
    guard kind(type) == tupleKind else { return nil }
    // Sound: as above.
    let labels = unsafe pointer(type).load(fromByteOffset: 2 * word, as: UnsafePointer<CChar>?.self)
    return unsafe labels.map { unsafe String(cString: $0) }
  }

  /// Whether two types are the same, ignoring labels of tuples.
  static func areSame(_ type: Any.Type, _ other: Any.Type) -> Bool {
    if type == other { return true }
    guard let elements = tupleElements(type), let others = tupleElements(other),
      elements.count == others.count
    else { return false }
    return zip(elements, others).allSatisfy(areSame)
  }

  /// Whether a type is a function type, or the metatype of a single type.
  static func isFunctionOrMetatype(_ type: Any.Type) -> Bool {
    kind(type) == functionKind || kind(type) == metatypeKind
  }

  static func kind(_ type: Any.Type) -> Int {
    // Sound: the metadata of every type begins with its kind, or for a class, with a pointer.
    unsafe pointer(type).load(as: Int.self)
  }

  static func pointer(_ type: Any.Type) -> UnsafeRawPointer {
    unsafe unsafeBitCast(type, to: UnsafeRawPointer.self)
  }

  static let enumKind = 0x201
  static let optionalKind = 0x202
  private static let tupleKind = 0x301
  private static let functionKind = 0x302
  private static let metatypeKind = 0x304

  /// Whether metadata has the layout that is read here.
  ///
  /// It is compared with what the compiler says of some types. In any other layout, a path reports an
  /// issue and extracts nothing.
  private static let hasKnownLayout: Bool = {
    // Sound: every type has witnesses before its metadata, with at least ten words.
    let witnesses = unsafe pointer(Probe.self).load(
      fromByteOffset: -word, as: UnsafeRawPointer.self)
    let size = unsafe witnesses.load(fromByteOffset: 8 * word, as: Int.self)
    let stride = unsafe witnesses.load(fromByteOffset: 9 * word, as: Int.self)
    let elements = tupleElements((Int, String).self) ?? []
    return (word == 4 || word == 8)
      && size == MemoryLayout<Probe>.size && stride == MemoryLayout<Probe>.stride
      && kind(Probe.self) == enumKind && kind(Int?.self) == optionalKind
      && kind((() -> Void).self) == functionKind && kind(Int.Type.self) == metatypeKind
      && elements.count == 2 && elements[0] == Int.self && elements[1] == String.self
      && EnumCase.hasKnownLayout
  }()

  /// An enum whose size isn't its stride.
  private typealias Probe = Result<Int64, any Error>
}
