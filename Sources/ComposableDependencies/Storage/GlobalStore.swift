internal import Synchronization

/// The bottom of every scope: global values and aliases.
///
/// A read asks ``globalKeys``, without a lock, whether the store knows anything about its key. Only
/// then does it take a lock, once, and sees override, global value and aliases in one consistent
/// state.
final class GlobalStore: Sendable {
  /// In a process that links `ComposableTesting`, code outside any scope is a test's, too.
  static let process = GlobalStore(usesTestValues: DependencyIssue.canFailTests)

  struct State: ~Copyable {
    fileprivate var values = OverrideTable()
    fileprivate var aliases = Aliases()
  }

  private struct WeakListener {
    weak var object: (any KeyListener)?
  }

  /// The keys that were ever set or aliased here.
  let globalKeys = GlobalKeys()
  private let testValues: Atomic<Bool>
  private let watching = Atomic(false)
  private let published = Mutex<(any Watcher)?>(nil)
  private let listener = Mutex(WeakListener())
  let state = StripedLock(State())

  init(usesTestValues: Bool) {
    testValues = Atomic(usesTestValues)
  }

  /// Whether the defaults are the keys' test values.
  var usesTestValues: Bool {
    get { testValues.load(ordering: .relaxed) }
    set { testValues.store(newValue, ordering: .relaxed) }
  }
}

// MARK: - Watching

extension GlobalStore {
  /// Whether the watcher is notified.
  var isWatched: Bool {
    get { watching.load(ordering: .relaxed) }
    set { watching.store(newValue, ordering: .releasing) }
  }

  var watcher: (any Watcher)? { published.withLock { $0 } }

  func watcher(makingOne make: () -> any Watcher) -> any Watcher {
    published.withLock { published in
      let watcher = published ?? make()
      published = watcher
      return watcher
    }
  }

  /// Notifies the object that `make` returns, if there is one, when keys change.
  ///
  /// Two threads don't run `make` at once.
  func listen(_ make: () -> (any KeyListener)?) {
    listener.withLock { listener in
      if let new = make() { listener.object = new }
    }
  }

  private func keysDidChange(_ keys: @autoclosure () -> Set<ObjectIdentifier>?) {
    listener.withLock { $0.object }?.keysDidChange(keys()) { source(of: $0) }
  }
}

// MARK: - Reading

extension GlobalStore {
  /// All global values.
  var values: [Override] {
    state.read { state in
      var values: [Override] = []
      state.values.forEach { values.append($0.object) }
      return values
    }
  }

  /// Calls `body` with where a scope gets the value of a key that may be set globally or aliased.
  func findLocked(
    _ key: any DependencyKey.Type, mayBeAliased: Bool, in scope: Unretained<ScopeNode>?,
    _ body: (FoundSource) -> Void
  ) {
    let id = ObjectIdentifier(key)
    state.read { state in
      // To look for aliases takes a debug build as long as the rest.
      let aliases = mayBeAliased ? state.aliases[id] : nil
      // Of another key, the scope has no override: otherwise no lock is needed.
      if mayBeAliased, let override = aliases.first(id, { scope?.find($0) }) {
        body(.override(override))
      } else if let value = aliases.first(id, { state.values.find($0, KeyHash($0)) }) {
        body(.global(value))
      } else {
        body(.defaultValue(of: aliases?.root ?? key))
      }
    }
  }

  /// The keys that are aliased to each other and to a key: the root, then the others in the order in
  /// which they were aliased; only the key itself if it isn't aliased.
  func aliasedKeys(with key: any DependencyKey.Type) -> [any DependencyKey.Type] {
    let id = ObjectIdentifier(key)
    guard globalKeys.use(of: id) == .isAliased else { return [key] }
    return state.read { $0.aliases[id]?.keys ?? [key] }
  }
}

extension AliasGroup? {
  /// The first result of `find`, in the order of a read; without aliases, that of the key itself.
  fileprivate func first(
    _ id: ObjectIdentifier, _ find: (ObjectIdentifier) -> Unretained<Override>?
  ) -> Unretained<Override>? {
    guard let self else { return find(id) }
    for key in self.keys { if let found = find(ObjectIdentifier(key)) { return found } }
    return nil
  }
}

// MARK: - Writing

extension GlobalStore {
  /// Sets values together, so that a reader sees all or none.
  ///
  /// Pass a value for aliased keys once per key.
  func set(_ overrides: [Override]) {
    globalKeys.insert(overrides.lazy.map(\.id), areAliased: false)
    let replaced = state.write { state in
      state.values.makeRoom(for: overrides.count)
      return overrides.compactMap { state.values.insert(.retaining($0)) }
    }
    // After the lock: freeing a value may run code that reads dependencies.
    for override in replaced { override.release() }
    keysDidChange(Set(overrides.lazy.map(\.id)))
  }

  func removeValues() {
    var removed = OverrideTable()
    state.write { swap(&$0.values, &removed) }
    keysDidChange(nil)
  }

  func alias(_ key: any DependencyKey.Type, to target: any DependencyKey.Type) -> Aliases.Outcome {
    let outcome = state.read { $0.aliases.outcome(of: key, to: target) }
    guard outcome == .added else { return outcome }
    globalKeys.insert([ObjectIdentifier(key), ObjectIdentifier(target)], areAliased: true)
    let added = state.write { $0.aliases.alias(key, to: target) }
    if added == .added { keysDidChange(nil) }
    return added
  }

  func removeAliases() {
    state.write { $0.aliases = Aliases() }
    keysDidChange(nil)
  }
}
