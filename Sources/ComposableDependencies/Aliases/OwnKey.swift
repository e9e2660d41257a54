internal import Synchronization

/// Finds the key that a property of ``Dependencies`` reads and sets.
enum OwnKey {
  /// The key whose value a property reads and sets, if it does nothing else.
  ///
  /// Sets the property to its own value, in a scope without overrides. Does so in a single
  /// mutation, because an assignment through a key path would compute the default again, and once
  /// per place in the source, so that not every alias computes a default.
  static func of<Value>(
    _ keyPath: any WritableKeyPath<Dependencies, Value> & Sendable
  ) -> (any DependencyKey.Type)? {
    if let known = known(keyPath) { return known }
    let scratch = OverrideNode.bare(
      over: OverrideTable(owner: StoreOwner(GlobalStore(usesTestValues: false))))
    var dependencies = Dependencies(node: scratch)
    readAndSet(&dependencies[keyPath: keyPath])
    let overrides = dependencies.node?.overrides ?? []
    guard
      overrides.count == 1, let key = overrides[0].key, valueType(of: key) == Value.self,
      !isTransformed(keyPath, of: key, on: scratch)
    else { return nil }
    remember(key, of: keyPath)
    return key
  }

  private static func readAndSet<Value>(_ value: inout Value) {}

  private static func valueType<Key: DependencyKey>(of key: Key.Type) -> Any.Type {
    Key.Value.self
  }

  /// Whether the property changes the values that it passes to its key, as far as a few sample
  /// values can show.
  private static func isTransformed<Value>(
    _ keyPath: WritableKeyPath<Dependencies, Value>, of key: any DependencyKey.Type,
    on scratch: OverrideNode
  ) -> Bool {
    func isTransformed<Key: DependencyKey, Sample: Equatable>(
      _ key: Key.Type, _ sample: Sample
    ) -> Bool {
      guard let value = sample as? Value else { return false }
      var dependencies = Dependencies(node: scratch)
      dependencies[key] = value as! Key.Value
      if dependencies[keyPath: keyPath] as? Sample != sample { return true }
      dependencies[keyPath: keyPath] = value
      return dependencies[key] as? Sample != sample
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

// MARK: - Known key paths

extension OwnKey {
  /// What is known about a key path.
  ///
  /// Looked up by object identity: each key path literal in the source is one object. Equality
  /// doesn't work, because key paths that differ only in the type arguments of a subscript are
  /// equal.
  private final class Known: Sendable {
    weak let keyPath: (any AnyKeyPath & Sendable)?
    let key: any DependencyKey.Type

    init(_ keyPath: any AnyKeyPath & Sendable, _ key: any DependencyKey.Type) {
      self.keyPath = keyPath
      self.key = key
    }
  }

  private struct Cache {
    var all: [ObjectIdentifier: Known] = [:]
    /// The number of entries above which those of freed key paths are removed.
    var limit = 64
  }

  private static let cache = Mutex(Cache())

  private static func known(_ keyPath: any AnyKeyPath & Sendable) -> (any DependencyKey.Type)? {
    // The key path of this entry may be freed, and another one allocated in its place. Compare
    // outside the lock, because the key path may be freed meanwhile, along with what it captures.
    guard let known = cache.withLock({ $0.all[ObjectIdentifier(keyPath)] }) else { return nil }
    return known.keyPath === keyPath ? known.key : nil
  }

  private static func remember(
    _ key: any DependencyKey.Type, of keyPath: any AnyKeyPath & Sendable
  ) {
    let known = Known(keyPath, key)
    let crowded = cache.withLock { cache -> [ObjectIdentifier: Known]? in
      cache.all[ObjectIdentifier(keyPath)] = known
      return cache.all.count > cache.limit ? cache.all : nil
    }
    if let crowded { removeGone(of: crowded) }
  }

  /// Removes the entries of freed key paths.
  ///
  /// A key path that captures something is created anew each time.
  private static func removeGone(of all: [ObjectIdentifier: Known]) {
    let gone = all.filter { $0.value.keyPath == nil }
    cache.withLock { cache in
      for (id, known) in gone where cache.all[id] === known { cache.all[id] = nil }
      cache.limit = max(64, 2 * cache.all.count)
    }
  }

  fileprivate static func removeGone() {
    removeGone(of: cache.withLock { $0.all })
  }
}

extension Dependencies {
  /// Removes the entries of freed key paths, which otherwise happens now and then.
  ///
  /// For tests that count memory.
  package static func forgetKeyPathsThatAreGone() {
    OwnKey.removeGone()
  }
}
