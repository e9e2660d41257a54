/// Finds the keys that properties of ``Dependencies`` read and set.
enum PropertyKey {
  /// So that not every alias computes defaults.
  static let known = KeyPathCache<any DependencyKey.Type>()

  /// The keys of two properties of one type; `nil` for one that does more than to read and set a key.
  static func of<Value>(
    _ first: any WritableKeyPath<Dependencies, Value> & Sendable,
    _ second: any WritableKeyPath<Dependencies, Value> & Sendable
  ) -> ((any DependencyKey.Type)?, (any DependencyKey.Type)?) {
    if let first = known[first], let second = known[second] { return (first, second) }
    let overrides = [override(by: first), override(by: second)]
    return (key(of: first, overrides[0], overrides), key(of: second, overrides[1], overrides))
  }

  private static var scratch: DependencyScope { .isolated() }

  /// The override that a property sets, if it is one of its own type.
  ///
  /// Sets the property to its own value, in a scope without overrides. Does so in a single
  /// mutation, because an assignment through a key path would compute the default again.
  private static func override<Value>(
    by keyPath: any WritableKeyPath<Dependencies, Value> & Sendable
  ) -> Override? {
    let overrides = scratch.with { readAndSet(&$0[keyPath: keyPath]) }.overrides
    guard overrides.count == 1, valueType(of: overrides[0].key) == Value.self else { return nil }
    return overrides[0]
  }

  /// - Parameter samples: Overrides whose values the property must read unchanged.
  private static func key<Value>(
    of keyPath: any WritableKeyPath<Dependencies, Value> & Sendable, _ override: Override?,
    _ samples: [Override?]
  ) -> (any DependencyKey.Type)? {
    guard let key = override?.key else { return nil }
    for case let sample? in samples
    where areDifferent(
      scratch.with([sample.copy(for: key)])[keyPath], sample.value(as: Value.self))
    {
      return nil
    }
    known.remember(key, of: keyPath)
    return key
  }

  private static func readAndSet<Value>(_ value: inout Value) {}

  private static func valueType<Key: DependencyKey>(of key: Key.Type) -> Any.Type {
    Key.Value.self
  }

  /// Whether two values are known to be different: of other types than `Equatable` ones, none are.
  private static func areDifferent<Value>(_ value: Value, _ other: Value) -> Bool {
    func areDifferent<E: Equatable>(_ value: E) -> Bool {
      // A value that isn't equal to itself says nothing.
      value == value && value != other as! E
    }
    guard let value = value as? any Equatable else { return false }
    return areDifferent(value)
  }
}
