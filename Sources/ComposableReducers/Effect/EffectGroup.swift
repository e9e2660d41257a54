/// A store's effects that are cancelled or awaited together.
enum EffectGroup: Hashable, Sendable {
  /// The effects of an action that the program sent, and of the actions that they send.
  case action(Int)
  /// The effects with an identifier.
  case id(EffectID)
  /// The effects of a child's reducer, and of the reducers below it.
  case child(ChildID)
  /// What runs of a sequence.
  case part(of: Int)
}

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

/// Identifies a child in a store's state by the pullbacks that lead to it.
struct ChildID: Hashable, Sendable {
  struct Step: Hashable, Sendable {
    let pullback: ObjectIdentifier
    /// The key of an element.
    var element: EffectID?
    var identity: ChildIdentity?
  }

  let steps: [Step]
}

/// The `id` of a state.
struct ChildIdentity: Hashable, @unchecked Sendable {  // Immutable, and a part of a store's state.
  let value: AnyHashable
}
