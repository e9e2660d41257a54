extension Dependencies {
  /// The value of a key that is set globally, aliased, or a default of a scope that isn't current.
  ///
  /// Generic over the value instead of the key, so that a client's module compiles it once for each
  /// type of value.
  @_alwaysEmitIntoClient
  @inline(never)
  func rareValue<Value: Sendable>(
    of key: any DependencyKey<Value>.Type, _ lookup: Lookup
  ) -> Value {
    var value: Value?
    unsafe withUnsafeMutablePointer(to: &value) { value in
      unsafe find(key, lookup, UnsafeMutableRawPointer(value)) { override in
        // Sound: an override of the key, or of an aliased one, has the key's type of value.
        unsafe value.pointee = override.value(as: Value.self)
      } orDefault: { usesTestValue in
        unsafe value.pointee = usesTestValue ? key.testValue : key.defaultValue
      }
    }
    return value!
  }

  /// Finds a value, or computes a default in this scope.
  ///
  /// - Parameters:
  ///   - value: Where to write the default of the key that this one is aliased to: an optional of
  ///     this key's type of value, which is `nil`.
  ///   - read: Called with an override or a global value.
  ///   - compute: Called if the default of this key is the value.
  @usableFromInline
  func find(
    _ key: any DependencyKey.Type, _ lookup: Lookup, _ value: UnsafeMutableRawPointer,
    _ read: (Override) -> Void, orDefault compute: (_ usesTestValue: Bool) -> Void
  ) {
    guard case .throughStore = lookup else { return computeDefault(of: key, compute) }
    guard let root = findThroughStore(key, read) else { return }
    if root == key { return computeDefault(of: key, compute) }
    computeDefault(of: root) { usesTestValue in
      // Sound, because only keys with the same type of value are ever aliased.
      unsafe writeDefault(of: root, usesTestValue, to: value)
    }
  }
}

private func writeDefault<Key: DependencyKey>(
  of key: Key.Type, _ usesTestValue: Bool, to value: UnsafeMutableRawPointer
) {
  let value = unsafe value.assumingMemoryBound(to: Key.Value?.self)
  unsafe value.pointee = usesTestValue ? Key.testValue : Key.defaultValue
}
