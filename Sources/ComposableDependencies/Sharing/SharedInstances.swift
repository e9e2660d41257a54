/// The instances that shared keys have made over one global store.
final class SharedInstances: Sendable {
  fileprivate struct State: ~Copyable {
    /// The lists of each shared key.
    var records: [ObjectIdentifier: SharedRecord] = [:]
  }

  private let store: Unowned<GlobalStore>
  private let state: StripedLock<State>
  private let independent = IndependentInstances()

  /// - Parameter store: Its owner owns this, too.
  init(over store: GlobalStore) {
    self.store = Unowned(store)
    state = StripedLock(State(), stripes: store.stripes)
  }

  deinit {
    dropAll { _ in true }
  }
}

/// What is known of a shared key.
// Unchecked: it changes under the lock.
private final class SharedRecord: @unchecked Sendable {
  var lists: InputList?
}

// MARK: - Finding

extension SharedInstances {
  /// Calls `read` with the instance of a key for a scope that no `make` watches, if that is known.
  ///
  /// `read` runs while a lock is held; it only copies the value out.
  func find(
    _ id: ObjectIdentifier, in scope: ScopeNode?, _ read: (Unowned<Override>) -> Void
  ) {
    if independent.find(id, read) { return }
    var watched: [Unowned<Override>] = []
    state.read { state in
      var list = Unowned.optional(state.records[id]?.lists)
      while let current = list {
        let found = current.borrow { list in
          store.borrow { list.find(in: scope, over: $0, watched: &watched) }
        }
        if let found { return found.borrow { $0.value.map { read(Unowned($0)) }! } }
        // Of another run of `make`.
        watched = []
        list = current.borrow { Unowned.optional($0.next) }
      }
    }
    // After the lock, because reporting runs anybody's code.
    for override in watched { override.didRead() }
  }

  /// The instance of a key for any scope, which counts as a read of its inputs.
  func find(_ key: any DependencyKey.Type, in scope: ScopeNode?) -> Override? {
    var list = state.read { $0.records[ObjectIdentifier(key)]?.lists }
    while let current = list {
      let sources = current.keys.map { scope.source(of: $0, isRead: false) }
      let identities = sources.map(\.identity)
      if let value = state.read({ _ in current.value(madeFrom: identities) }) {
        for (key, source) in zip(current.keys, sources) {
          _ = scope.source(of: key, isRead: true)
          Dependencies(node: scope).didReadInput(key, source)
        }
        return withExtendedLifetime(sources) { value }
      }
      list = current.next
    }
    return nil
  }

  func isDropped(_ instance: SharedInstance) -> Bool {
    state.read { _ in instance.value == nil }
  }
}

extension InputList {
  fileprivate func value(madeFrom identities: [UInt]) -> Override? {
    unsafe identities.withUnsafeBufferPointer { unsafe find($0) }?.borrow { $0.value }
  }
}

// MARK: - Keeping

extension SharedInstances {
  /// Keeps an instance, unless another thread has kept one that was made from the same; returns the
  /// one that is kept.
  func keep(_ value: Override, from inputs: [InputTracker.Input]) -> Override {
    let identities = inputs.map(\.source.identity)
    let (instance, kept) = state.write { state in
      let list = state.list(of: inputs.map(\.key), for: value.key)
      if let kept = list.value(madeFrom: identities) { return (nil as SharedInstance?, kept) }
      let instance = SharedInstance(
        value, identities: identities, globals: inputs.compactMap(\.source.global), inputs: list,
        in: self)
      list.insert(instance)
      return (instance, value)
    }
    if inputs.isEmpty { independent.insert(Unowned(kept)) }
    if let instance {
      for case .override(let override) in inputs.lazy.map(\.source) {
        override.madeAttachment.dependents.add(instance)
      }
      // What was set after `make` had read it, and before the instance was kept.
      if store.borrow({ instance.isOutdated(over: $0) }) { drop(instance) }
    }
    return kept
  }

  func drop(_ instance: SharedInstance) {
    let value = state.write { _ in instance.removeFromList() }
    withExtendedLifetime(value) {}
  }

  /// Drops what was made from global values, defaults or aliases that are others now.
  func dropOutdated() {
    dropAll { instance in store.borrow { instance.isOutdated(over: $0) } }
  }

  /// Drops what was made from other global values of some keys.
  ///
  /// Asks only the instances that were made from one of these keys.
  func dropOutdated(bySetting keys: Set<ObjectIdentifier>) {
    dropAll { list in
      list.keys.contains { keys.contains(ObjectIdentifier($0)) }
    } where: { instance in
      store.borrow { instance.isOutdated(over: $0) }
    }
  }

  private func dropAll(
    madeFrom isAffected: (InputList) -> Bool = { _ in true },
    where isDropped: (SharedInstance) -> Bool
  ) {
    // Released after the lock.
    let dropped = state.write { state in
      var dropped: [SharedInstance] = []
      for record in state.records.values {
        var list = record.lists
        while let current = list {
          if isAffected(current) {
            current.forEach { if $0.borrow(isDropped) { dropped.append($0.object) } }
          }
          list = current.next
        }
      }
      return dropped.map { ($0, $0.removeFromList()) }
    }
    withExtendedLifetime(dropped) {}
  }
}

extension SharedInstances.State {
  fileprivate mutating func list(
    of keys: [any DependencyKey.Type], for key: any DependencyKey.Type
  ) -> InputList {
    let record = records[ObjectIdentifier(key)] ?? SharedRecord()
    records[ObjectIdentifier(key)] = record
    var list = record.lists
    while let current = list {
      if current.keys.elementsEqual(keys, by: ==) { return current }
      list = current.next
    }
    let new = InputList(keys, next: record.lists)
    record.lists = new
    return new
  }
}

extension InputSource {
  fileprivate var global: Override? {
    if case .global(let value) = self { value } else { nil }
  }
}
