/// The namespace of all dependencies: each is a computed property of this type.
///
/// A property reads and sets the value of a ``DependencyKey``, which may be private:
///
/// ```swift
/// extension Dependencies {
///   var apiClient: APIClient {
///     get { self[APIClientKey.self] }
///     set { self[APIClientKey.self] = newValue }
///   }
/// }
/// ```
///
/// A property made from others needs no key, and sees their overrides:
///
/// ```swift
/// extension Dependencies {
///   var isOnline: Bool { reachability.status == .online && !settings.worksOffline }
/// }
/// ```
///
/// In a module that isolates to the main actor by default, write `nonisolated extension`.
///
/// A value of this type is met in such properties and in `withDependencies`, where setting a
/// property overrides it in the scope that is about to be entered.
public struct Dependencies: Sendable {
  @usableFromInline var node: OverrideNode?

  @usableFromInline
  init(node: OverrideNode?) {
    self.node = node
  }

  /// The value of a key in this scope.
  ///
  /// - Complexity: A read costs the same however many overrides are in force and however deeply
  ///   scopes are nested. It allocates nothing.
  @inlinable
  public subscript<Key: DependencyKey>(key: Key.Type) -> Key.Value {
    get {
      // The scope owns its overrides, so it must not go before one is read.
      withExtendedLifetime(node) {
        if let override = unsafe findOverride(ObjectIdentifier(key)) {
          return unsafe override._withUnsafeGuaranteedRef {
            unsafe unsafeDowncast($0, to: Override<Key.Value>.self).value
          }
        }
        return hasOnlyDefaults ? Key.defaultValue : valueBelowOverrides(of: key)
      }
    }
    set { override(key, with: newValue) }
  }
}

extension Dependencies {
  /// Sets every dependency of the current scope's global store back to its default.
  ///
  /// Overrides stay in force, and so do aliases.
  public static func reset() {
    CurrentScope.store.removeValues()
  }

  /// Forgets all aliases of the current scope's global store.
  ///
  /// A value set through an alias stays set for each of the dependencies that were one.
  public static func clearAliases() {
    CurrentScope.store.removeAliases()
  }
}

// MARK: - Finding a value

extension Dependencies {
  /// Unmanaged, as ``OverrideNode/find(_:from:)``: what it finds lives as long as `node`.
  @usableFromInline
  func findOverride(_ id: ObjectIdentifier) -> Unmanaged<OverrideNode>? {
    guard let node else { return nil }
    if node.contents.contains(.aliases), let aliases = node.store.aliases(of: id) {
      for member in aliases.members {
        if let found = unsafe OverrideNode.find(ObjectIdentifier(member), from: node) {
          return unsafe found
        }
      }
      return nil
    }
    return unsafe OverrideNode.find(id, from: node)
  }

  /// Whether all that this scope does not override is a default, and can be computed right here.
  @usableFromInline
  var hasOnlyDefaults: Bool {
    node.contents.isEmpty && node.unmarked === CurrentScope.node
  }

  /// The global value of a key, or else the default, computed in the scope that is being read.
  @usableFromInline
  func valueBelowOverrides<Key: DependencyKey>(of key: Key.Type) -> Key.Value {
    let store = node.store
    if let global = store.value(for: ObjectIdentifier(key)) {
      return unsafe unsafeDowncast(global, to: Override<Key.Value>.self).value
    }
    let root: any DependencyKey.Type = store.aliases(of: ObjectIdentifier(key))?.root ?? key
    return CurrentScope.enter(node.unmarked) { defaultValue(of: root) }
  }

  private func defaultValue<Key: DependencyKey, Value>(of key: Key.Type) -> Value {
    let value = node.contents.contains(.testValues) ? Key.testValue : Key.defaultValue
    // Sound, because only keys with the same type of value are ever aliased.
    return unsafe unsafeBitCast(value, to: Value.self)
  }
}

// MARK: - Overriding

extension Dependencies {
  /// Overrides a key, and with it those that are one with it.
  @usableFromInline
  mutating func override<Key: DependencyKey>(_ key: Key.Type, with value: Key.Value) {
    let aliases =
      node.contents.contains(.aliases) ? node.store.aliases(of: ObjectIdentifier(key)) : nil
    for member in aliases?.members ?? [key] {
      if let marked = node as? OwnOverrides {
        node = marked.adding(Override(value, for: member, on: nil))
      } else {
        node = Override(value, for: member, on: node)
      }
    }
  }
}
