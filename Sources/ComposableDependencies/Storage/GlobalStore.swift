internal import Synchronization

/// The bottom of every scope: the values set for everyone, and the aliases.
final class GlobalStore: Sendable {
  static let process = GlobalStore(usesTestValues: false)

  /// What a reader has to look at besides the overrides of its scope.
  struct Contents: OptionSet {
    let rawValue: UInt8
    static let values = Contents(rawValue: 1)
    static let aliases = Contents(rawValue: 2)
    /// Whose defaults are the keys' test values.
    static let testValues = Contents(rawValue: 4)
  }

  struct State {
    var values: [ObjectIdentifier: OverrideNode] = [:]
    var aliases = Aliases()
  }

  private let usesTestValues: Bool
  let state = Mutex(State())
  private let flags: Atomic<UInt8>

  init(usesTestValues: Bool) {
    self.usesTestValues = usesTestValues
    flags = Atomic((usesTestValues ? Contents.testValues : []).rawValue)
  }

  /// Read without a lock.
  var contents: Contents {
    Contents(rawValue: flags.load(ordering: .acquiring))
  }

  /// The value set for a key, or for one that is one with it.
  func value(for id: ObjectIdentifier) -> OverrideNode? {
    state.withLock { state in
      guard let aliases = state.aliases[id] else { return state.values[id] }
      for member in aliases.members {
        if let value = state.values[ObjectIdentifier(member)] { return value }
      }
      return nil
    }
  }

  /// Sets values; that of a key that is one with others comes once for each of them.
  func set(_ overrides: [ObjectIdentifier: OverrideNode]) {
    mutate { $0.values.merge(overrides) { $1 } }
  }

  func removeValues() {
    mutate { $0.values = [:] }
  }

  func removeAliases() {
    mutate { $0.aliases = Aliases() }
  }

  func alias(_ key: any DependencyKey.Type, to target: any DependencyKey.Type) -> Aliases.Outcome {
    mutate { $0.aliases.alias(key, to: target) }
  }

  func aliases(of id: ObjectIdentifier) -> Aliases.Class? {
    state.withLock { $0.aliases[id] }
  }

  private func mutate<R: Sendable>(_ change: (inout State) -> R) -> R {
    let (result, _) = state.withLock { state in
      // Handed out, so that what is replaced is released after the lock.
      let replaced = state
      let result = change(&state)
      var contents: Contents = usesTestValues ? .testValues : []
      if !state.values.isEmpty { contents.insert(.values) }
      if !state.aliases.isEmpty { contents.insert(.aliases) }
      flags.store(contents.rawValue, ordering: .releasing)
      return (result, replaced.values)
    }
    return result
  }
}

extension OverrideNode {
  /// The global store below these overrides.
  final var store: GlobalStore { table?.store ?? .process }

  final var contents: GlobalStore.Contents { store.contents }
}

extension OverrideNode? {
  /// The global store below these overrides.
  var store: GlobalStore { self?.store ?? .process }

  var contents: GlobalStore.Contents { self?.contents ?? GlobalStore.process.contents }
}
