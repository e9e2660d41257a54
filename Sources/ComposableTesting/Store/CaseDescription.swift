internal import ComposableReducers

/// Describes an action in a path's case, for a message.
func describe<Root, Value>(_ path: CasePath<Root, Value>) -> String {
  if let nothing = () as? Value { return short(path.embed(nothing)) }
  let description = path.description(decidingBy: emptyValue(of: Value.self))
  if let name = CaseName(description) { return name.text(payload: Value.self) }
  // Of the closures in a path that goes deeper, nothing is known.
  if description.contains(" .. ") { return "an action with \(Value.self)" }
  let type = withoutLabels(Value.self)
  // A path of closures may go through one of these cases, or deeper, so all of them are possible.
  let names = EnumCase.cases(of: Root.self)
    .filter { withoutLabels($0.payload) == type }
    .map { ".\($0.name)(\(Value.self))" }
  return names.isEmpty ? "an action with \(Value.self)" : names.joined(separator: " or ")
}

/// Returns a simple value of a type, if the type has one.
private func emptyValue<Value>(of type: Value.Type) -> Value? {
  let value: Any? =
    switch type {
    case is Bool.Type: false
    case let type as any RangeReplaceableCollection.Type: type.init()
    case let type as any SetAlgebra.Type: type.init()
    case let type as any AdditiveArithmetic.Type: type.zero
    case let type as any ExpressibleByNilLiteral.Type: type.init(nilLiteral: ())
    default: nil
    }
  return value as? Value
}

/// A case of an enum that has a payload.
struct EnumCase {
  let name: String
  let payload: Any.Type

  /// Returns the cases with payloads, from the type's field descriptor.
  static func cases(of type: Any.Type) -> [EnumCase] {
    #if arch(wasm32) || _ptrauth(_arm64e)
      return []  // Descriptions are signed or laid out in another way there.
    #else
      // Sound: the metadata of an enum is its kind, a pointer to its description, and its generic
      // arguments. These layouts are part of Swift's stable ABI, and the same on Linux and Windows.
      let metadata = unsafe unsafeBitCast(type, to: UnsafeRawPointer.self)
      guard unsafe metadata.load(as: Int.self) == 0x201 else { return [] }
      let word = MemoryLayout<Int>.size
      let description = unsafe metadata.load(fromByteOffset: word, as: UnsafeRawPointer.self)
      guard let fields = unsafe target(of: description + 16) else { return [] }
      let size = unsafe Int(fields.load(fromByteOffset: 10, as: UInt16.self))
      let count = unsafe Int(description.load(fromByteOffset: 20, as: UInt32.self) & 0xFF_FFFF)
      return (0..<count).compactMap { index in
        let field = unsafe fields + 16 + index * size
        guard let mangled = unsafe target(of: field + 4), let name = unsafe target(of: field + 8),
          let payload = unsafe _getTypeByMangledNameInContext(
            mangled.assumingMemoryBound(to: UInt8.self), length(ofMangledName: mangled),
            genericContext: description, genericArguments: metadata + 2 * word)
        else { return nil }
        return EnumCase(
          name: unsafe String(cString: name.assumingMemoryBound(to: CChar.self)), payload: payload)
      }
    #endif
  }

  /// Returns the target of a relative pointer.
  private static func target(of place: UnsafeRawPointer) -> UnsafeRawPointer? {
    let offset = unsafe Int(place.load(as: Int32.self))
    return offset == 0 ? nil : unsafe place + offset
  }

  /// Returns the number of bytes before the terminating zero.
  ///
  /// References may contain zeros, too.
  private static func length(ofMangledName name: UnsafeRawPointer) -> UInt {
    var length = 0
    while true {
      switch unsafe name.load(fromByteOffset: length, as: UInt8.self) {
      case 0: return UInt(length)
      case 0x01...0x17: length += 5
      case 0x18...0x1F: length += 1 + MemoryLayout<Int>.size
      default: length += 1
      }
    }
  }
}

/// Returns the name of a type, without the labels of tuples.
private func withoutLabels(_ type: Any.Type) -> String {
  var name = ""
  for part in String(reflecting: type).split(separator: " ") {
    name += part.last == ":" ? part.prefix { $0 == "(" } : part
  }
  return name.hasPrefix("(") && !name.contains(",")
    ? String(name.dropFirst().dropLast()) : name
}
