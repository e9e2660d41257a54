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

extension ScopeNode? {
  /// Where this scope gets a key's value.
  ///
  /// - Parameter isRead: Whether to notify what observes reads of overrides and global values.
  func source(of key: any DependencyKey.Type, isRead: Bool) -> ValueSource {
    let source: ValueSource
    if let probe = root.probe {
      guard let override = store.override(of: key, in: self!) else {
        return probe.source(of: key, isRead: isRead, over: store)
      }
      source = .override(override)
    } else {
      source = store.source(of: key, in: self)
    }
    if isRead { didRead(key, source) }
    return source
  }

  private func didRead(_ key: any DependencyKey.Type, _ source: ValueSource) {
    switch source {
    case .override(let value):
      withExtendedLifetime(value) {
        if Unowned(value).isWatched { Unowned(value).didRead(key) }
      }
    case .global(let value):
      if store.options.contains(.observingReads) { store.observer?.didRead(key, value) }
    case .defaultValue: break  // Observed where it is computed.
    }
  }
}

extension GlobalStore {
  /// Where a scope over this store gets a key's value.
  func source(of key: any DependencyKey.Type, in scope: ScopeNode?) -> ValueSource {
    // Without a lock, if the store knows nothing of the key, or the scope decides.
    let id = ObjectIdentifier(key)
    let hash = KeyHash(id)
    let use = globalKeys.use(of: id, hash)
    if use != .isAliased, let override = scope?.find(id, hash) { return .override(override.object) }
    if use == .none { return .defaultValue(of: key) }
    var found: ValueSource?
    let root = find(key, in: scope) {
      found = .override($0.object)
    } global: {
      found = .global($0.object)
    }
    return found ?? .defaultValue(of: root!)
  }
}
