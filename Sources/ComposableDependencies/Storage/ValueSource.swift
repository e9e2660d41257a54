/// Where a scope gets a key's value.
package enum ValueSource: Sendable {
  case override(Override)
  case global(Override)
  /// Neither has one; the default of this key is read.
  case defaultValue(of: any DependencyKey.Type)

  /// Identifies the override, the global value or the default, as long as this is kept.
  package var identity: ObjectIdentifier {
    switch self {
    case .override(let value), .global(let value): ObjectIdentifier(value)
    case .defaultValue(let key): ObjectIdentifier(key)
    }
  }
}

extension ValueSource {
  /// The source that `find` finds: it calls one of its arguments, or returns the key of a default.
  fileprivate init(
    _ find: (
      _ override: (Unretained<Override>) -> Void, _ global: (Unretained<Override>) -> Void
    ) -> (any DependencyKey.Type)?
  ) {
    var found: ValueSource?
    let root = find({ found = .override($0.object) }, { found = .global($0.object) })
    self = found ?? .defaultValue(of: root!)
  }
}

extension ScopeNode? {
  /// Where this scope gets a key's value.
  ///
  /// - Parameter reader: The function that reads the key, for what watches reads; `nil` if this is no
  ///   read.
  func source(of key: any DependencyKey.Type, readBy reader: StaticString?) -> ValueSource {
    if let reader, let probe = root.probe, store.override(of: key, in: self!) == nil,
      let source = probe.read(key, by: reader)
    {
      return source
    }
    let source = ValueSource { find(key, override: $0, global: $1) }
    if let reader { didRead(key, by: reader, source) }
    return source
  }

  /// Calls `body` with the override, or `globalBody` with the global value, that a read of a key
  /// would see.
  ///
  /// Frees nothing, so a caller may hold a lock.
  ///
  /// - Returns: If there is neither, the key whose default is the value.
  @inline(never)
  func find(
    _ key: any DependencyKey.Type,
    override body: (Unretained<Override>) -> Void, global globalBody: (Unretained<Override>) -> Void
  ) -> (any DependencyKey.Type)? {
    unretainedRoot.borrow { root in
      guard let probe = root.probe else {
        return root.store.find(key, in: self, override: body, global: globalBody)
      }
      if let override = root.store.override(of: key, in: self!) {
        body(Unretained(override))
        return nil
      }
      return probe.find(key, over: root.store, override: body, global: globalBody)
    }
  }

  /// Identifies where this scope gets a key's value, and frees nothing.
  ///
  /// - Parameter isWatched: Set to `true` if that is a watched override.
  func sourceIdentity(
    of key: any DependencyKey.Type, isWatched: inout Bool
  ) -> ObjectIdentifier {
    var found: ObjectIdentifier?
    let root = find(key) {
      if $0.isWatched { isWatched = true }
      found = $0.borrow { ObjectIdentifier($0) }
    } global: {
      found = $0.borrow { ObjectIdentifier($0) }
    }
    return found ?? ObjectIdentifier(root!)
  }

  private func didRead(
    _ key: any DependencyKey.Type, by reader: StaticString, _ source: ValueSource
  ) {
    switch source {
    case .override(let value):
      withExtendedLifetime(value) {
        if Unretained(value).isWatched { Unretained(value).didRead(key, by: reader, in: self) }
      }
    case .global, .defaultValue:
      guard root.isWatched, let watcher = store.watcher else { return }
      if case .defaultValue(let root) = source, root != key {
        watcher.didRead(Read(root, from: source, in: self))
      } else {
        watcher.didRead(Read(key, by: reader, from: source, in: self))
      }
    }
  }
}

extension GlobalStore {
  /// Where a scope without overrides gets a key's value.
  func source(of key: any DependencyKey.Type) -> ValueSource {
    ValueSource { find(key, in: nil, override: $0, global: $1) }
  }
}
