/// The identity of effects within one child, or of a child: a value and its type.
///
/// Comparing and hashing run a user's code, so neither may happen under a lock. The hash is computed
/// once, when the effect is created.
struct EffectID: Hashable, Sendable {
  /// Identifies the only child of a pullback.
  static let only = EffectID(0)

  let value: any Hashable & Sendable
  let hash: Int

  init(_ value: any Hashable & Sendable) {
    self.value = value
    var hasher = Hasher()
    hasher.combine(ObjectIdentifier(type(of: value)))
    value.hash(into: &hasher)
    hash = hasher.finalize()
  }

  static func == (lhs: EffectID, rhs: EffectID) -> Bool {
    // Not `AnyHashable`, which considers `UInt8(1)` and `1` equal.
    lhs.hash == rhs.hash && type(of: lhs.value) == type(of: rhs.value)
      && areEqual(lhs.value, rhs.value)
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(hash)
  }
}
