public import ComposableDependencies

extension DependencyScope {
  /// Opens a resource on demand, in the innermost lifetime of this scope.
  ///
  /// ```swift
  /// let folder = try await DependencyScope.current.open(TemporaryFolderKey.self)
  /// ```
  ///
  /// The resource comes from the nearest lifetime that has it. If none does, this call opens it in
  /// the innermost lifetime, which closes it when it ends. Every caller gets the same value,
  /// including those that call while it is opening. If the resource is overridden or set globally,
  /// this call returns that value.
  ///
  /// Use the value that this call returns. A scope never changes, so a synchronous read of the key
  /// still returns its default value, unless `withResources` lists the key.
  ///
  /// A canceled caller stops waiting, but the resource still opens. After a failure, the next call
  /// opens the resource again.
  ///
  /// - Throws: The error of the resource's `open`; `CancellationError`; a ``ResourceError`` if this
  ///   scope has no lifetime, if the lifetime has ended, or if the resource waits for the caller.
  public func open<Key: ResourceKey>(_ key: Key.Type) async throws -> Key.Value {
    let asker = DependencyScope.current[LifetimeKey.self]?.resource
    return try await value(of: key, in: self[LifetimeKey.self]?.lifetime, for: asker)
  }

  /// - Parameters:
  ///   - innermost: The lifetime that opens the resource, unless one has it.
  ///   - asker: The resource that asks, if any.
  func value<Key: ResourceKey>(
    of key: Key.Type, in innermost: Lifetime?, for asker: Resource?
  ) async throws -> Key.Value {
    let owner: OverrideOwner?
    switch source(of: key) {
    case .override(let value) where value.owner == nil, .global(let value):
      // Not read once more: another thread may reset it meanwhile.
      noteRead(of: key)
      return value.value(as: Key.Value.self)
    case .override(let value): owner = value.owner
    case .defaultValue: owner = nil
    }
    guard let innermost else { throw ResourceError.noLifetime(key) }
    return try await innermost.value(of: key, from: owner, for: asker, in: self)
  }
}
