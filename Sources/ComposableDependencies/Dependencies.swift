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
  @_alwaysEmitIntoClient
  public subscript<Key: DependencyKey>(key: Key.Type) -> Key.Value {
    get {
      // The scope owns its overrides, so it must not go before one is read.
      withExtendedLifetime(node) {
        switch find(ObjectIdentifier(key)) {
        case .override(let override):
          return unsafe override._withUnsafeGuaranteedRef {
            unsafe unsafeDowncast($0, to: Override<Key.Value>.self).value
          }
        case .defaultInForce: return Key.defaultValue
        case .belowOverrides: return valueBelowOverrides(of: key)
        }
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

@usableFromInline
@safe enum Finding {
  /// Unmanaged, as in ``OverrideNode/findOverride(_:)``: it lives as long as the scope.
  case override(Unmanaged<OverrideNode>)
  /// The default, which can be computed right here: its scope is in force.
  case defaultInForce
  /// Something else than an override.
  case belowOverrides
}

extension Dependencies {
  @usableFromInline
  func find(_ id: ObjectIdentifier) -> Finding {
    // Bit-cast, because unwrapping it would retain it.
    guard let node = unsafe unsafeBitCast(node, to: Unmanaged<OverrideNode>?.self) else {
      let isInForce = GlobalStore.process.contents.isEmpty && CurrentScope.node == nil
      return isInForce ? .defaultInForce : .belowOverrides
    }
    return unsafe node._withUnsafeGuaranteedRef { $0.find(id) }
  }

  /// The global value of a key, or else the default, computed in the scope that is being read.
  @_alwaysEmitIntoClient
  func valueBelowOverrides<Key: DependencyKey>(of key: Key.Type) -> Key.Value {
    var value: Key.Value?
    findGlobally(ObjectIdentifier(key)) { override in
      value = unsafe unsafeDowncast(override, to: Override<Key.Value>.self).value
    }
    return value ?? defaultBelowOverrides(of: key)
  }

  /// Calls `read` with the value set globally for a key, if one is, while a lock is held.
  @usableFromInline
  func findGlobally(_ id: ObjectIdentifier, _ read: (OverrideNode) -> Void) {
    // Bit-cast, because unwrapping it would retain it.
    guard let node = unsafe unsafeBitCast(node, to: Unmanaged<OverrideNode>?.self) else {
      return GlobalStore.process.find(id, read)
    }
    unsafe node._withUnsafeGuaranteedRef { $0.findGlobally(id, read) }
  }

  @usableFromInline
  func defaultBelowOverrides<Key: DependencyKey>(of key: Key.Type) -> Key.Value {
    let store = node.store
    let contents = store.contents
    if contents.contains(.lostReads), node.isLost { LostReads.report(key) }
    let aliases = contents.contains(.aliases) ? store.aliases(of: ObjectIdentifier(key)) : nil
    let root: any DependencyKey.Type = aliases?.root ?? key
    return CurrentScope.enter(node.unmarked) { defaultValue(of: root) }
  }

  private func defaultValue<Key: DependencyKey, Value>(of key: Key.Type) -> Value {
    let value = node.contents.contains(.testValues) ? Key.testValue : Key.defaultValue
    // Sound, because only keys with the same type of value are ever aliased.
    return unsafe unsafeBitCast(value, to: Value.self)
  }
}

extension OverrideNode {
  @inline(never)
  fileprivate final func find(_ id: ObjectIdentifier) -> Finding {
    let contents = contents
    if contents.contains(.aliases) { return findAliased(id) }
    if let found = unsafe findOverride(id) { return unsafe .override(found) }
    let isDefault = contents.isEmpty || contents == .lostReads && !table.isLost
    return isDefault && CurrentScope.isInForce(self) ? .defaultInForce : .belowOverrides
  }

  @inline(never)
  fileprivate final func findGlobally(_ id: ObjectIdentifier, _ read: (OverrideNode) -> Void) {
    // Unmanaged, or every thread that reads would retain the same store.
    unsafe Unmanaged.passUnretained(store)._withUnsafeGuaranteedRef { $0.find(id, read) }
  }

  @inline(never)
  fileprivate final var isPlain: Bool {
    !contents.contains(.aliases) && id != OwnOverrides.identity
  }

  @inline(never)
  private final func findAliased(_ id: ObjectIdentifier) -> Finding {
    guard let aliases = store.aliases(of: id) else { return findAlone(id) ?? .belowOverrides }
    for member in aliases.members {
      if let found = findAlone(ObjectIdentifier(member)) { return found }
    }
    return .belowOverrides
  }

  @inline(never)
  private final func findAlone(_ id: ObjectIdentifier) -> Finding? {
    unsafe findOverride(id).map { unsafe .override($0) }
  }
}

// MARK: - Overriding

extension Dependencies {
  /// Overrides a key, and with it those that are one with it.
  @_alwaysEmitIntoClient
  mutating func override<Key: DependencyKey>(_ key: Key.Type, with value: Key.Value) {
    guard isPlain else { return overrideAll(key, with: value) }
    let below = node
    node = nil
    node = Override(value, for: key, on: below)
  }

  /// Whether an override is just one more, on top of the others.
  @usableFromInline
  var isPlain: Bool {
    // Bit-cast, because unwrapping it would retain it.
    guard let node = unsafe unsafeBitCast(node, to: Unmanaged<OverrideNode>?.self) else {
      return !GlobalStore.process.contents.contains(.aliases)
    }
    return unsafe node._withUnsafeGuaranteedRef { $0.isPlain }
  }

  @usableFromInline
  mutating func overrideAll<Key: DependencyKey>(_ key: Key.Type, with value: Key.Value) {
    for member in node.store.aliases(of: ObjectIdentifier(key))?.members ?? [key] {
      if let marks = node.marks {
        node = marks.adding(Override(value, for: member, on: nil))
      } else {
        node = Override(value, for: member, on: node)
      }
    }
  }
}
