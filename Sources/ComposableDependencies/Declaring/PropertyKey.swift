internal import Synchronization

/// Finds the key that a property of ``Dependencies`` reads and sets.
///
/// Remembers the keys of key paths by their objects' identity, without keeping them alive: each key path
/// literal in the source is one object. Equality doesn't work, because key paths that differ only in the
/// type arguments of a subscript are equal, and because it compares values that the key path captures.
enum PropertyKey {
  // Unchecked, because what a key path captures may not be sendable; only its address is used here.
  private final class Known: @unchecked Sendable {
    weak let keyPath: AnyKeyPath?
    let key: any DependencyKey.Type

    init(_ keyPath: AnyKeyPath, _ key: any DependencyKey.Type) {
      self.keyPath = keyPath
      self.key = key
    }
  }

  private struct Entries {
    var all: [ObjectIdentifier: Known] = [:]
    /// The number of entries above which those of freed key paths are removed.
    var limit = 64
  }

  private static let entries = Mutex(Entries())

  /// The keys of two properties of one type; `nil` for one that does more than to read and set a key.
  static func of<Value>(
    _ first: any WritableKeyPath<Dependencies, Value> & Sendable,
    _ second: any WritableKeyPath<Dependencies, Value> & Sendable
  ) -> ((any DependencyKey.Type)?, (any DependencyKey.Type)?) {
    if let first = known(first), let second = known(second) { return (first, second) }
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
    guard overrides.count == 1, overrides[0].key.valueType == Value.self else { return nil }
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
      scratch.with([sample.copy(for: key)])[keyPath], sample.anyValue as! Value)
    {
      return nil
    }
    remember(key, of: keyPath)
    return key
  }

  private static func readAndSet<Value>(_ value: inout Value) {}

  // The key path of an entry may be freed, and another one allocated in its place. Compared outside the
  // lock, because freeing a key path frees what it captures.
  private static func known(_ keyPath: AnyKeyPath) -> (any DependencyKey.Type)? {
    guard let known = entries.withLock({ $0.all[ObjectIdentifier(keyPath)] }),
      known.keyPath === keyPath
    else { return nil }
    return known.key
  }

  private static func remember(_ key: any DependencyKey.Type, of keyPath: AnyKeyPath) {
    let isCrowded = entries.withLock { entries in
      entries.all[ObjectIdentifier(keyPath)] = Known(keyPath, key)
      return entries.all.count > entries.limit
    }
    if isCrowded { removeGone() }
  }

  /// Removes the entries of freed key paths.
  ///
  /// A key path that captures something is created anew each time.
  static func removeGone() {
    // Compared outside the lock, as above.
    let gone = entries.withLock { $0.all }.filter { $0.value.keyPath == nil }
    entries.withLock { entries in
      for (id, known) in gone where entries.all[id] === known { entries.all[id] = nil }
      entries.limit = max(64, 2 * entries.all.count)
    }
  }
}

extension DependencyKey {
  static var valueType: Any.Type { Value.self }
}
