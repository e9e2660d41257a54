/// The overrides of a scope: those of a chain, and of the table below it.
extension OverrideNode {
  /// The override of a key in this chain and the table below it.
  @inline(__always)
  func findOverride(_ id: ObjectIdentifier, _ hash: KeyHash) -> Override? {
    if head.filter & hash.bit != 0, let found = findInChain(id) { return found }
    return unownedTable.borrow { $0.find(id, hash) }
  }

  @inline(__always)
  private func findInChain(_ id: ObjectIdentifier) -> Override? {
    var cursor = newest
    while let override = cursor {
      if override.id == id { return override }
      cursor = override.next
    }
    return nil
  }

  /// Whether every override of this chain has a key of its own.
  var overridesEachKeyOnce: Bool {
    if head.filter.nonzeroBitCount == Int(head.depth) { return true }
    var isOnce = true
    forEachInChainAndShadowed { if findInChain($0.id) != $0 { isOnce = false } }
    return isOnce
  }

  /// Every override of this scope, each in a node of its own.
  var overrides: [KeptOverride] {
    var overrides: [KeptOverride] = []
    forEachOverride { overrides.append($0.copy()) }
    return overrides
  }

  func forEachOverride(_ body: (Override) -> Void) {
    forEachInChain(body)
    table.forEach { override in
      if findInChain(override.id) == nil { body(override) }
    }
  }

  /// Calls `body` with the overrides of this chain, the newest first.
  func forEachInChain(_ body: (Override) -> Void) {
    forEachInChainAndShadowed { override in
      if override.key != nil, findInChain(override.id) == override { body(override) }
    }
  }

  /// The same, with those that newer ones of the same keys shadow.
  @inline(__always)
  func forEachInChainAndShadowed(_ body: (Override) -> Void) {
    var cursor = newest
    while let override = cursor {
      cursor = override.next
      body(override)
    }
  }
}

extension OverrideNode? {
  /// Whether this scope was built outside any scope.
  var isLost: Bool { self?.table.isLost ?? true }
}
