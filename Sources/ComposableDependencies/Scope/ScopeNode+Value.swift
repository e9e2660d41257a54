/// What a scope finds of a key without a lock.
@usableFromInline
enum Lookup {
  /// Alive as long as the scope.
  case override(Unretained<Override>)
  /// The default, which can be computed right here.
  case defaultHere
  /// Anything else.
  case elsewhere
}

extension ScopeNode? {
  /// The value of a key in this scope: an override, a global value, or a default.
  ///
  /// Without closures and transparent, because a client's module compiles it for each key.
  @_alwaysEmitIntoClient
  @_transparent
  func value<Key: DependencyKey>(of key: Key.Type, readBy reader: StaticString) -> Key.Value {
    switch lookUp(ObjectIdentifier(Key.self)) {
    case .override(let override):
      // Sound: an override with the key's identity has the key's type of value.
      let value = override.value(as: Key.Value.self)
      // The scope owns its overrides, so it must outlive the read of one.
      withExtendedLifetime(self) {}
      return value
    case .defaultHere:
      #if DEBUG
        return ComputedDefault.compute(Key.self) { Key.defaultValue }
      #else
        return Key.defaultValue
      #endif
    case .elsewhere:
      return valueElsewhere(of: Key.self, readBy: reader)
    }
  }

  /// What a read finds without a lock.
  @usableFromInline
  func lookUp(_ id: ObjectIdentifier) -> Lookup {
    // To unwrap the scope would retain it, and a read of an override take twice as long.
    unretained.lookUp(id)
  }
}

extension Unretained<ScopeNode> {
  @inline(never)
  fileprivate func lookUp(_ id: ObjectIdentifier) -> Lookup {
    let hash = KeyHash(id)
    let use = store.borrow { $0.globalKeys.use(of: id, hash) }
    if use == .isAliased { return .elsewhere }
    if let override = find(id, hash) {
      if override.isObserved {
        ScopeNode?.some(object).didRead(override.key, by: "", from: .override(override.object))
      }
      return .override(override)
    }
    let isElsewhere =
      use == .isSet || borrow { Assignment.mayBeRead(in: $0) } || root.borrow { $0.watchesReads }
      || store.borrow { $0.usesTestValues } || !CurrentScope.isCurrent(self)
    return isElsewhere ? .elsewhere : .defaultHere
  }
}

// MARK: - Elsewhere

extension ScopeNode? {
  /// The value of a key that ``lookUp(_:)`` finds elsewhere.
  ///
  /// Generic over the value instead of the key, so that a client's module compiles it once for each
  /// type of value.
  @_alwaysEmitIntoClient
  @inline(never)
  func valueElsewhere<Value: Sendable>(
    of key: any DependencyKey<Value>.Type, readBy reader: StaticString
  ) -> Value {
    // Sound: its value is initialized and then moved. An optional's metadata would cost debug builds more.
    unsafe withUnsafeTemporaryAllocation(of: Value.self, capacity: 1) { memory in
      // Sound: `find` calls one of the two, and an override or a default of the key, or of an aliased
      // one, has the key's type of value.
      let value = memory.baseAddress!
      unsafe find(key, readBy: reader) { override in
        unsafe value.initialize(to: override.value(as: Value.self))
      } readDefault: { memory in
        unsafe value.initialize(to: memory.assumingMemoryBound(to: Value.self).pointee)
      }
      return unsafe value.move()  // Sound, as above.
    }
  }

  /// Calls `read` with the override or the global value of a key, or `readDefault` with its default.
  ///
  /// - Parameter reader: The function that reads it, for what watches reads.
  @usableFromInline
  func find(
    _ key: any DependencyKey.Type, readBy reader: StaticString,
    _ read: (Unretained<Override>) -> Void, readDefault: (UnsafeRawPointer) -> Void
  ) {
    let scope = unretained
    // Sound: the value is of the key's type, as is the value of a key that is aliased to it.
    if scope.borrow({ Assignment.mayBeRead(in: $0) }),
      let assigned = unsafe Assignment.take(for: key.valueType, in: scope)
    {
      return unsafe readDefault(assigned)
    }
    if scope.root.borrow({ $0.watchesReads }) {
      return unsafe findWatched(key, readBy: reader, read, readDefault)  // Sound, as above.
    }
    var observed: Unretained<Override>?
    var defaultKey: (any DependencyKey.Type)?
    scope.store.borrow { store in
      store.find(key, in: scope) { source in
        switch source {
        case .override(let value):
          if value.isObserved { observed = value }
          read(value)
        case .global(let value): read(value)
        case .defaultValue(let key): defaultKey = key
        }
      }
    }
    // After the lock, because reporting runs user code. The scope keeps its overrides alive.
    if let observed { didRead(key, by: reader, from: .override(observed.object)) }
    // Sound, as above.
    if let defaultKey { unsafe computeDefault(of: defaultKey, watchesReads: false, readDefault) }
  }

  private func findWatched(
    _ key: any DependencyKey.Type, readBy reader: StaticString,
    _ read: (Unretained<Override>) -> Void, _ readDefault: (UnsafeRawPointer) -> Void
  ) {
    switch readSource(of: key, by: reader) {
    case .override(let value), .global(let value):
      withExtendedLifetime(value) { read(Unretained(value)) }
    case .defaultValue(let key):
      let scope = if let probe = root.probe { probe.scopeOfDefaults(readIn: self) } else { self }
      // Sound, as above.
      unsafe scope.computeDefault(of: key, watchesReads: true, readDefault)
    }
  }

  /// Computes the default of a key in this scope.
  ///
  /// It holds no lock: a default may read other dependencies, or call anything.
  private func computeDefault(
    of key: any DependencyKey.Type, watchesReads: Bool, _ read: (UnsafeRawPointer) -> Void
  ) {
    let usesTestValue = unretained.store.borrow { $0.usesTestValues }
    CurrentScope.run(in: self) {
      ComputedDefault.compute(key, watchesReads: watchesReads) {
        // Sound: `read` is for the values of this key.
        unsafe key.readDefault(usingTestValue: usesTestValue, read)
      }
    }
  }
}

extension DependencyKey {
  fileprivate static func readDefault(
    usingTestValue: Bool, _ read: (UnsafeRawPointer) -> Void
  ) {
    let value = usingTestValue ? testValue : defaultValue
    // Sound: the value is there until `read` returns.
    unsafe withUnsafePointer(to: value) { unsafe read(UnsafeRawPointer($0)) }
  }
}
