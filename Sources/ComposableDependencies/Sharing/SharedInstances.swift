/// The instances that shared keys have made over one global store.
final class SharedInstances: Sendable {
  fileprivate struct State: ~Copyable {
    /// A `SharedRecord` for each shared key; each is retained.
    var records = OverrideIndex()
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
    let records = state.write { state in
      var records: [Override] = []
      state.records.forEach { records.append($0) }
      state.records = OverrideIndex()
      return records
    }
    for record in records { record.node.release() }
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
    _ id: ObjectIdentifier, in scope: OverrideNode?, _ read: (Override) -> Void
  ) {
    if independent.find(id, read) { return }
    var watched: [Override] = []
    state.read { state in
      var list = state.record(id)?.borrow { Unowned.optional($0.lists) }
      while let current = list {
        let found = current.borrow { list in
          store.borrow { list.find(in: scope, over: $0, watched: &watched) }
        }
        if let found { return found.borrow { $0.value!.read(read) } }
        // Of another run of `make`.
        watched = []
        list = current.borrow { Unowned.optional($0.next) }
      }
    }
    // After the lock, because reporting runs anybody's code.
    for override in watched { override.didRead() }
  }

  /// The instance of a key for any scope, which counts as a read of its inputs.
  func find(_ key: any DependencyKey.Type, in scope: OverrideNode?) -> KeptOverride? {
    var list = state.read { $0.record(ObjectIdentifier(key))?.borrow { $0.lists } }
    while let current = list {
      let sources = current.keys.map { scope.source(of: $0, isRead: false) }
      let identities = sources.compactMap { $0.identity(makingOne: false) }
      if identities.count == sources.count,
        let value = state.read({ _ in current.value(madeFrom: identities) })
      {
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

extension SharedInstances.State {
  fileprivate func record(_ id: ObjectIdentifier) -> Unowned<SharedRecord>? {
    records.find(id, KeyHash(id))?.record
  }
}

extension Override {
  /// What is known of a shared key, in the index of those.
  fileprivate var record: Unowned<SharedRecord> {
    value(as: Unowned<SharedRecord>.self)
  }
}

extension InputList {
  fileprivate func value(madeFrom identities: [UInt]) -> KeptOverride? {
    unsafe identities.withUnsafeBufferPointer { unsafe find($0) }?.borrow { $0.value }
  }
}

// MARK: - Keeping

extension SharedInstances {
  /// Keeps an instance, unless another thread has kept one that was made from the same; returns the
  /// one that is kept.
  func keep(_ value: KeptOverride, from inputs: [InputTracker.Input]) -> KeptOverride {
    let identities = inputs.map { $0.source.identity(makingOne: true)! }
    let (instance, kept) = state.write { state in
      let list = state.list(of: inputs.map(\.key), for: value.key!)
      if let kept = list.value(madeFrom: identities) { return (nil as SharedInstance?, kept) }
      let instance = SharedInstance(
        value, identities: identities, globals: inputs.compactMap(\.source.global), inputs: list,
        in: self)
      list.insert(instance)
      return (instance, value)
    }
    if inputs.isEmpty { kept.read { independent.insert($0) } }
    if let instance {
      for case .override(let override) in inputs.lazy.map(\.source) {
        override.read { $0.identityOfInput.add(instance) }
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
      state.records.forEach { record in
        var list = record.record.borrow { $0.lists }
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
    let record: SharedRecord
    if let present = self.record(ObjectIdentifier(key)) {
      record = present.object
    } else {
      record = SharedRecord()
      OverrideNode.record(record, for: key).read { _ = records.insert($0.retained()) }
    }
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
  fileprivate var global: KeptOverride? {
    if case .global(let value) = self { value } else { nil }
  }
}
