/// Finds the key that a property of ``Dependencies`` reads and sets.
enum OwnKey {
  fileprivate static let known = KeyPathCache<any DependencyKey.Type>()

  /// The key whose value a property reads and sets, if it does nothing else.
  ///
  /// Sets the property to its own value, in a scope without overrides. Does so in a single
  /// mutation, because an assignment through a key path would compute the default again, and once
  /// per place in the source, so that not every alias computes a default.
  static func of<Value>(
    _ keyPath: any WritableKeyPath<Dependencies, Value> & Sendable
  ) -> (any DependencyKey.Type)? {
    if let key = known[keyPath] { return key }
    let scratch = ScopeNode.bare(
      over: ScopeRoot(owner: StoreOwner(GlobalStore(usesTestValues: false))))
    var dependencies = Dependencies(node: scratch)
    readAndSet(&dependencies[keyPath: keyPath])
    let overrides = dependencies.node.overrides
    guard
      overrides.count == 1, case let key = overrides[0].key, valueType(of: key) == Value.self,
      !isTransformed(keyPath, of: key, on: scratch)
    else { return nil }
    known.remember(key, of: keyPath)
    return key
  }

  private static func readAndSet<Value>(_ value: inout Value) {}

  private static func valueType<Key: DependencyKey>(of key: Key.Type) -> Any.Type {
    Key.Value.self
  }

  /// Whether the property changes the value that it reads from its key, as far as a few sample
  /// values can show.
  ///
  /// The property itself sets no sample: its setter may stop the program at values that it doesn't
  /// accept.
  private static func isTransformed<Value>(
    _ keyPath: WritableKeyPath<Dependencies, Value>, of key: any DependencyKey.Type,
    on scratch: ScopeNode
  ) -> Bool {
    func isTransformed<Key: DependencyKey, Sample: Equatable>(
      _ key: Key.Type, _ sample: Sample
    ) -> Bool {
      guard let value = sample as? Key.Value else { return false }
      var dependencies = Dependencies(node: scratch)
      dependencies[key] = value
      return dependencies[keyPath: keyPath] as? Sample != sample
    }
    return samples(of: Value.self).contains { isTransformed(key, $0) }
  }

  private static func samples<Value>(of type: Value.Type) -> [any Equatable] {
    switch type {
    case let type as any BinaryInteger.Type:
      [type.init(3), type.init(101)] + [type.init(exactly: -3)].compactMap(\.self)
    case let type as any BinaryFloatingPoint.Type: [type.init(-3), type.init(0.375)]
    case let type as any (RangeReplaceableCollection & StringProtocol).Type: [type.init(" aB c")]
    case is Bool.Type: [false, true]
    case is Duration.Type: [Duration.milliseconds(1_500)]
    default: []
    }
  }
}

extension Dependencies {
  /// Removes the entries of freed key paths, which otherwise happens now and then.
  ///
  /// For tests that count memory.
  package static func forgetKeyPathsThatAreGone() {
    OwnKey.known.removeGone()
  }
}
