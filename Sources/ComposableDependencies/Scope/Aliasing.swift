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
    let (key, targetKey) = (ownKey(of: dependency), ownKey(of: target))
    guard let key, let targetKey else {
      let other = key == nil ? dependency : target
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
  /// Found by setting the property to what it reads, in a scope without overrides: at once, because
  /// an assignment through a key path would compute the default again.
  private func ownKey<Value>(
    of keyPath: any WritableKeyPath<Dependencies, Value> & Sendable
  ) -> (any DependencyKey.Type)? {
    if let known = KnownKey.of(keyPath) { return known }
    let scratch = OverrideNode(table: OverrideTable(store: GlobalStore(usesTestValues: false)))
    var dependencies = Dependencies(node: scratch)
    readAndSet(&dependencies[keyPath: keyPath])
    let overrides = dependencies.node?.overrides ?? []
    guard
      overrides.count == 1,
      let key = overrides[0].key,
      valueType(of: key) == Value.self
    else { return nil }
    KnownKey.remember(key, of: keyPath)
    return key
  }

  private func readAndSet<Value>(_ value: inout Value) {}

  private func valueType<Key: DependencyKey>(of key: Key.Type) -> Any.Type {
    Key.Value.self
  }
}

/// What was found out about a key path, so that a default is not computed for every alias.
///
/// Known by the object, which is one for a key path as it stands in the source. Equality would not
/// do: key paths are equal that differ only in the type arguments of a subscript.
private struct KnownKey {
  let id: ObjectIdentifier
  weak let keyPath: (any AnyKeyPath & Sendable)?
  let key: any DependencyKey.Type

  private static let all = Mutex<[KnownKey]>([])

  static func of(_ keyPath: any AnyKeyPath & Sendable) -> (any DependencyKey.Type)? {
    let id = ObjectIdentifier(keyPath)
    // One that has gone may have been where this one is.
    return all.withLock { known in known.first { $0.id == id && $0.keyPath != nil }?.key }
  }

  static func remember(_ key: any DependencyKey.Type, of keyPath: any AnyKeyPath & Sendable) {
    all.withLock { known in
      // A key path that captures something is made anew each time, and goes.
      known.removeAll { $0.keyPath == nil }
      known.append(KnownKey(id: ObjectIdentifier(keyPath), keyPath: keyPath, key: key))
    }
  }
}
