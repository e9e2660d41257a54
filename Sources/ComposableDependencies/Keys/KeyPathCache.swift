internal import Synchronization

/// Remembers what is known about key paths, without keeping them alive.
///
/// Looks a key path up by its object's identity: each key path literal in the source is one object.
/// Equality doesn't work, because key paths that differ only in the type arguments of a subscript
/// are equal, and because it compares values that the key path captures.
package final class KeyPathCache<Value: Sendable>: Sendable {
  // Unchecked, because what a key path captures may not be sendable; only its address is used here.
  fileprivate final class Known: @unchecked Sendable {
    weak let keyPath: AnyKeyPath?
    let value: Value

    init(_ keyPath: AnyKeyPath, _ value: Value) {
      self.keyPath = keyPath
      self.value = value
    }
  }

  private struct Entries {
    var all: [ObjectIdentifier: Known] = [:]
    /// The number of entries above which those of freed key paths are removed.
    var limit = 64
  }

  private let entries = Mutex(Entries())

  package init() {}

  package subscript(keyPath: AnyKeyPath) -> Value? {
    // The key path of this entry may be freed, and another one allocated in its place. Compare
    // outside the lock, because the key path may be freed meanwhile, along with what it captures.
    guard let known = entries.withLock({ $0.all[ObjectIdentifier(keyPath)] }) else { return nil }
    return known.keyPath === keyPath ? known.value : nil
  }

  package func remember(_ value: Value, of keyPath: AnyKeyPath) {
    let known = Known(keyPath, value)
    let isCrowded = entries.withLock { entries in
      entries.all[ObjectIdentifier(keyPath)] = known
      return entries.all.count > entries.limit
    }
    if isCrowded { removeGone() }
  }

  /// Removes the entries of freed key paths.
  ///
  /// A key path that captures something is created anew each time.
  func removeGone() {
    // Compared outside the lock, because a key path may be freed meanwhile.
    let gone = entries.withLock { $0.all }.filter { $0.value.keyPath == nil }
    entries.withLock { entries in
      for (id, known) in gone where entries.all[id] === known { entries.all[id] = nil }
      entries.limit = max(64, 2 * entries.all.count)
    }
  }
}
