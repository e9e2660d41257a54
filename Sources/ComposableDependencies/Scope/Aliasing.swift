internal import Synchronization

extension DependencyScope {
  /// Makes two dependencies one in the global store of this scope.
  package func alias<Value>(
    _ dependency: any WritableKeyPath<Dependencies, Value> & Sendable,
    to target: any WritableKeyPath<Dependencies, Value> & Sendable,
    fileID: StaticString,
    line: UInt
  ) {
    alias(dependency, to: target, at: SourceLocation(fileID: fileID, line: line))
  }

  func alias<Value>(
    _ dependency: any WritableKeyPath<Dependencies, Value> & Sendable,
    to target: any WritableKeyPath<Dependencies, Value> & Sendable,
    at location: SourceLocation
  ) {
    var keys: [any DependencyKey.Type] = []
    for keyPath in [dependency, target] {
      guard let key = key(of: keyPath) else {
        DependencyIssue(
          problem: """
            \(keyPath) cannot be aliased: it is not simply the value of one key. The alias of \
            \(dependency) to \(target) is ignored.
            """,
          remedy: """
            alias dependencies whose property reads and sets `self[SomeKey.self]`, with the same \
            type of value.
            """,
          at: location
        ).report()
        return
      }
      keys.append(key)
    }
    if node.store.alias(keys[0], to: keys[1]) == .cycle {
      DependencyIssue(
        problem: """
          The alias of \(dependency) to \(target) would close a cycle: \(target) is aliased, \
          directly or through others, to \(dependency). It is ignored; the two are one already.
          """,
        remedy: """
          alias in one direction only, towards the dependency whose default all of them shall have.
          """,
        at: location
      ).report()
    }
  }

  /// The key whose value a property reads and sets, if it is just that.
  ///
  /// Found by setting the property to what it reads, in a scope without overrides.
  private func key<Value>(
    of keyPath: any WritableKeyPath<Dependencies, Value> & Sendable
  ) -> (any DependencyKey.Type)? {
    let property = Property(keyPath: keyPath)
    if let known = keysOfProperties.withLock({ $0[property] }) { return known }
    let scratch = OverrideNode(table: OverrideTable(store: GlobalStore(usesTestValues: false)))
    var dependencies = Dependencies(node: scratch)
    dependencies[keyPath: keyPath] = Dependencies(node: node)[keyPath: keyPath]
    let overrides = dependencies.node?.overrides ?? [:]
    guard overrides.count == 1, let key = overrides.values.first?.key, valueType(of: key) == Value.self
    else { return nil }
    keysOfProperties.withLock { $0[property] = key }
    return key
  }

  private func valueType<Key: DependencyKey>(of key: Key.Type) -> Any.Type {
    Key.Value.self
  }
}

/// What was found out about properties, so that a default is not computed for every alias.
private let keysOfProperties = Mutex<[Property: any DependencyKey.Type]>([:])

/// A key path that can be sent, with the equality of key paths.
private struct Property: Hashable {
  let keyPath: any AnyKeyPath & Sendable

  static func == (lhs: Property, rhs: Property) -> Bool {
    lhs.keyPath as AnyKeyPath == rhs.keyPath as AnyKeyPath
  }

  func hash(into hasher: inout Hasher) {
    (keyPath as AnyKeyPath).hash(into: &hasher)
  }
}
