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
    // Sound: an override or a default of the key, or of an aliased one, has the key's type of value.
    unsafe find(key, lookup) { override in
      value = override.value(as: Value.self)
    } readDefault: { memory in
      value = unsafe memory.assumingMemoryBound(to: Value.self).pointee
    }
    return value!
  }

  /// Finds a value, or computes a default in this scope.
  @usableFromInline
  func find(
    _ key: any DependencyKey.Type, _ lookup: Lookup, _ read: (Unowned<Override>) -> Void,
    readDefault: (UnsafeRawPointer) -> Void
  ) {
    var key = key
    if case .throughStore = lookup {
      guard let root = findThroughStore(key, read) else { return }
      key = root
    }
    computeDefault(of: key) { usesTestValue in
      unsafe key.readDefault(usesTestValue, readDefault)
    }
  }
}

extension DependencyKey {
  fileprivate static func readDefault(
    _ usesTestValue: Bool, _ read: (UnsafeRawPointer) -> Void
  ) {
    let value = usesTestValue ? testValue : defaultValue
    unsafe withUnsafePointer(to: value) { unsafe read(UnsafeRawPointer($0)) }
  }
}
