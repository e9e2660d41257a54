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
    unsafe find(key, lookup) { memory in
      // Sound: an override or a default of the key, or of an aliased one, has the key's type of
      // value.
      value = unsafe memory.assumingMemoryBound(to: Value.self).pointee
    }
    return value!
  }

  /// Finds a value, or computes a default in this scope, and calls `read` with its memory.
  @usableFromInline
  func find(
    _ key: any DependencyKey.Type, _ lookup: Lookup, _ read: (UnsafeRawPointer) -> Void
  ) {
    guard case .throughStore = lookup else { return unsafe computeDefault(of: key, read) }
    let root = findThroughStore(key) { override in
      unsafe read(UnsafeRawPointer(override.memory.address))
    }
    if let root { unsafe computeDefault(of: root, read) }
  }

  private func computeDefault(
    of key: any DependencyKey.Type, _ read: (UnsafeRawPointer) -> Void
  ) {
    computeDefault(of: key) { usesTestValue in unsafe key.readDefault(usesTestValue, read) }
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
