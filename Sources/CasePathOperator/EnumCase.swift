internal import Synchronization

/// A case of an enum, as its metadata describes it.
// Sound throughout: what is read has the layout that `read` describes, a part of the stable ABI.
// `TypeMetadata` checks the parts that it can.
struct EnumCase: Sendable {
  /// With labels, as in `set(width:)`.
  let name: String
  /// `nil` if the case has no payload; without the label if it is a single value.
  let payload: Any.Type?
  /// Whether the payload is in its own box.
  let isIndirect: Bool

  /// Returns the cases of a type in the order of their tags; `nil` if it isn't a Swift enum, or has
  /// no reflection metadata.
  ///
  /// Read once per type, because resolving the types of payloads takes microseconds.
  static func all(of type: Any.Type) -> [EnumCase]? {
    let key = ObjectIdentifier(type)
    if let known = known.withLock({ $0[key] }) { return known }
    let kind = TypeMetadata.kind(type)
    let isEnum = kind == TypeMetadata.enumKind || kind == TypeMetadata.optionalKind
    let cases = unsafe isEnum && TypeMetadata.enumWitnesses(type) != nil ? read(type) : nil
    known.withLock { $0[key] = .some(cases) }
    return cases
  }

  /// Bounded by the number of enums that paths are created for.
  private static let known = Mutex<[ObjectIdentifier: [EnumCase]?]>([:])

  /// Whether the descriptor of an enum has the layout that is read here.
  ///
  /// Its numbers are compared with those of a known enum before a pointer is followed.
  static var hasKnownLayout: Bool {
    enum Probe {
      case first(Int)
      case second(String)
      case third
    }
    // Sound: a descriptor begins with its kind. An enum's has seven words, the last two with the numbers of cases
    // with payloads, and of those without.
    let descriptor = unsafe TypeMetadata.pointer(Probe.self).load(
      fromByteOffset: TypeMetadata.word, as: UnsafeRawPointer.self)
    let kind = unsafe descriptor.load(as: UInt32.self) & 0x1F
    let payloads = unsafe descriptor.load(fromByteOffset: 20, as: UInt32.self) & 0xFF_FFFF
    let others = unsafe descriptor.load(fromByteOffset: 24, as: UInt32.self)
    guard kind == 18, payloads == 2, others == 1,
      let cases = read(Probe.self)
    else { return false }
    return cases.map(\.name) == ["first", "second", "third"] && cases[0].payload == Int.self
      && cases[1].payload == String.self && cases[2].payload == nil
  }

  private static func read(_ type: Any.Type) -> [EnumCase]? {
    // Sound: an enum's metadata is its kind, its descriptor, and its generic arguments. The fifth
    // 32-bit word of the descriptor points to the fields: a header of 16 bytes, and a record for
    // each case, in the order of the tags: flags, type and name. All pointers are relative; null
    // means absent.
    let metadata = unsafe TypeMetadata.pointer(type)
    let descriptor = unsafe metadata.load(
      fromByteOffset: TypeMetadata.word, as: UnsafeRawPointer.self)
    guard let fields = unsafe target(of: descriptor + 16) else { return nil }
    let size = unsafe Int(fields.load(fromByteOffset: 10, as: UInt16.self))
    let count = unsafe Int(fields.load(fromByteOffset: 12, as: UInt32.self))
    guard size == 12 else { return nil }
    var cases: [EnumCase] = []
    for index in 0..<count {
      let record = unsafe fields + 16 + index * size
      let flags = unsafe record.load(as: UInt32.self)
      let name = unsafe target(of: record + 8).map {
        unsafe String(cString: $0.assumingMemoryBound(to: CChar.self))
      }
      var payload: Any.Type?
      if let mangled = unsafe target(of: record + 4) {
        payload = unsafe _getTypeByMangledNameInContext(
          mangled.assumingMemoryBound(to: UInt8.self), UInt(length(ofMangled: mangled)),
          genericContext: descriptor, genericArguments: metadata + 2 * TypeMetadata.word)
        guard payload != nil else { return nil }
      }
      cases.append(EnumCase(name ?? "", payload, isIndirect: flags & 1 != 0))
    }
    return cases
  }

  private static func target(of relative: UnsafeRawPointer) -> UnsafeRawPointer? {
    let offset = unsafe relative.load(as: Int32.self)
    return unsafe offset == 0 ? nil : relative + Int(offset)
  }

  /// A mangled name ends with a null byte outside a symbolic reference, which is a control byte
  /// followed by 4 bytes or a pointer.
  private static func length(ofMangled name: UnsafeRawPointer) -> Int {
    var length = 0
    while true {
      switch unsafe (name + length).load(as: UInt8.self) {
      case 0: return length
      case 0x01...0x17: length += 5
      case 0x18...0x1F: length += 1 + TypeMetadata.word
      default: length += 1
      }
    }
  }

  private init(_ name: String, _ payload: Any.Type?, isIndirect: Bool) {
    let labels = payload.flatMap(TypeMetadata.tupleLabels)
    self.name =
      labels.map { labels in
        let split = labels.dropLast().split(separator: " ", omittingEmptySubsequences: false)
        return name + "(" + split.map { ($0.isEmpty ? "_" : $0) + ":" }.joined() + ")"
      } ?? name
    let elements = payload.flatMap(TypeMetadata.tupleElements)
    self.payload = elements?.count == 1 ? elements?[0] : payload
    self.isIndirect = isIndirect
  }
}
