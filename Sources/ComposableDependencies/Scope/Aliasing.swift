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
    guard let key = ownKey(of: dependency), let targetKey = ownKey(of: target) else {
      let other = ownKey(of: dependency) == nil ? dependency : target
      DependencyIssue(
        problem: """
          The alias of \(dependency) to \(target) is ignored: \(other) is not simply the value of \
          one key.
          """,
        remedy: """
          an alias of dependencies whose properties read and set `self[SomeKey.self]`, with the \
          same type of value.
          """,
        at: location
      ).report()
      return
    }
    if node.store.alias(key, to: targetKey) == .cycle {
      let (name, targetName) = (name(dependency, key), name(target, targetKey))
      DependencyIssue(
        problem: """
          The alias of \(name) to \(targetName) would close a cycle: \(targetName) is aliased to \
          \(name), directly or through others. It is ignored; the two are one already.
          """,
        remedy: """
          aliases in one direction only, towards the dependency whose default all shall have.
          """,
        at: location
      ).report()
    }
  }

  /// A key path as it is written; with the key in the place of a property whose name is not known.
  private func name(_ keyPath: AnyKeyPath, _ key: any DependencyKey.Type) -> String {
    let name = "\(keyPath)"
    return name.contains("<computed") ? "\\Dependencies[\(key).self]" : name
  }

  /// The key whose value a property reads and sets, if it is just that.
  ///
  /// Found by setting the property to what it reads, in a scope without overrides.
  private func ownKey<Value>(
    of keyPath: any WritableKeyPath<Dependencies, Value> & Sendable
  ) -> (any DependencyKey.Type)? {
    let property = Property(keyPath: keyPath)
    if let known = keysOfProperties.withLock({ $0[property] }) { return known }
    let scratch = OverrideNode(table: OverrideTable(store: GlobalStore(usesTestValues: false)))
    var dependencies = Dependencies(node: scratch)
    dependencies[keyPath: keyPath] = Dependencies(node: node)[keyPath: keyPath]
    let overrides = dependencies.node?.overrides ?? [:]
    guard
      overrides.count == 1,
      let key = overrides.values.first?.key,
      valueType(of: key) == Value.self
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
