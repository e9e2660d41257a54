/// The identity of effects within one store.
@usableFromInline
struct EffectID: Hashable, Sendable {
  private let value: any Hashable & Sendable

  init(_ value: any Hashable & Sendable) {
    self.value = value
  }

  @usableFromInline
  static func == (lhs: EffectID, rhs: EffectID) -> Bool {
    AnyHashable(lhs.value) == AnyHashable(rhs.value)
  }

  @usableFromInline
  func hash(into hasher: inout Hasher) {
    value.hash(into: &hasher)
  }
}
