/// The identity of effects within one store: a value and its type.
struct EffectID: Hashable, Sendable {
  private let value: any Hashable & Sendable

  init(_ value: any Hashable & Sendable) {
    self.value = value
  }

  static func == (lhs: EffectID, rhs: EffectID) -> Bool {
    // Not `AnyHashable`, which considers `UInt8(1)` and `1` equal.
    type(of: lhs.value) == type(of: rhs.value) && isEqual(lhs.value, rhs.value)
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(type(of: value)))
    value.hash(into: &hasher)
  }

  private static func isEqual<Value: Hashable>(_ lhs: Value, _ rhs: any Hashable) -> Bool {
    lhs == rhs as? Value
  }
}
