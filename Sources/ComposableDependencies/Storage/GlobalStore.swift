internal import Synchronization

/// The bottom of every scope: the values set for everyone, and the aliases.
///
/// What it holds stands in several copies, each with a lock of its own: a reader locks the one that
/// its thread uses, so that threads that read do not wait for each other; a writer locks them all.
// Unchecked because of the pointer; it never changes, and each copy that it points at has a lock.
@safe
final class GlobalStore: @unchecked Sendable {
  static let process = GlobalStore(usesTestValues: false, copies: 16)

  /// What a reader has to look at besides the overrides of its scope.
  struct Contents: OptionSet {
    let rawValue: UInt8
    static let values = Contents(rawValue: 1)
    static let aliases = Contents(rawValue: 2)
    /// Whose defaults are the keys' test values.
    static let testValues = Contents(rawValue: 4)
    /// Whose defaults are reported where they are read in no scope.
    static let lostReads = Contents(rawValue: 8)
  }

  struct State: ~Copyable {
    var values = OverrideMap()
    var aliases = Aliases()
    var reportsLostReads = false
  }

  struct Copy: ~Copyable {
    let state = Mutex(State())
    // Keeps two copies out of one cache line.
    private let padding: (Int, Int, Int, Int, Int, Int, Int, Int) = (0, 0, 0, 0, 0, 0, 0, 0)
  }

  private let usesTestValues: Bool
  /// Not an array of objects, whose reference counts all threads that read would share.
  let copies: UnsafeMutablePointer<Copy>
  private let count: Int
  private let flags: Atomic<UInt8>

  /// - Parameter copies: How many threads can read at once, roughly; a power of two, at most 16.
  init(usesTestValues: Bool, copies: Int = 1) {
    self.usesTestValues = usesTestValues
    self.count = copies
    unsafe self.copies = .allocate(capacity: copies)
    for index in 0..<copies { unsafe (self.copies + index).initialize(to: Copy()) }
    flags = Atomic((usesTestValues ? Contents.testValues : []).rawValue)
  }

  deinit {
    unsafe copies.deinitialize(count: count)
    unsafe copies.deallocate()
  }

  /// Read without a lock.
  var contents: Contents {
    Contents(rawValue: flags.load(ordering: .acquiring))
  }
}

// MARK: - Reading

extension GlobalStore {
  /// Calls `body` with the value set for a key, or for one that is one with it, if there is one.
  ///
  /// Under the lock, so that no thread retains what another one does; and not generic, which costs
  /// more than the rest.
  func find(_ id: ObjectIdentifier, _ body: (OverrideNode) -> Void) {
    guard contents.contains(.values) else { return }
    unsafe copies[indexForThisThread].state.withLock { state in
      guard let aliases = state.aliases.isEmpty ? nil : state.aliases[id] else {
        return _ = state.find(id, body)
      }
      for member in aliases.members where state.find(ObjectIdentifier(member), body) { return }
    }
  }

  func aliases(of id: ObjectIdentifier) -> Aliases.Class? {
    unsafe copies[indexForThisThread].state.withLock { $0.aliases[id] }
  }

  /// By where the stack of this thread is.
  private var indexForThisThread: Int {
    var here: UInt8 = 0
    let address = unsafe withUnsafePointer(to: &here) { UInt(bitPattern: $0) }
    // Stacks lie at even distances, which this constant (2³² by the golden ratio) spreads.
    let spread = UInt32(truncatingIfNeeded: address >> 16) &* 0x9E37_79B9
    return Int(spread >> 28) & (count - 1)
  }
}

extension GlobalStore.State {
  /// Calls `body` with the value set for a key, if there is one; whether there is.
  fileprivate func find(_ id: ObjectIdentifier, _ body: (OverrideNode) -> Void) -> Bool {
    guard let value = unsafe values.find(id, KeyHash(id)) else { return false }
    unsafe value._withUnsafeGuaranteedRef(body)
    return true
  }
}

// MARK: - Writing

extension GlobalStore {
  /// Sets values; that of a key that is one with others comes once for each of them.
  func set(_ overrides: [OverrideNode]) {
    // Released after the locks: what is replaced may read dependencies when it goes.
    var replaced: [OverrideNode] = []
    mutate { state in
      for override in overrides {
        // Each copy has its own, so that threads that read do not share them.
        if let old = state.values.insert(override.copy(on: nil)) { replaced.append(old) }
      }
    }
    withExtendedLifetime(replaced) {}
  }

  func removeValues() {
    var removed: [OverrideNode] = []
    mutate { state in
      removed += state.values.overrides
      state.values = OverrideMap()
    }
    withExtendedLifetime(removed) {}
  }

  func removeAliases() {
    mutate { $0.aliases = Aliases() }
  }

  func alias(_ key: any DependencyKey.Type, to target: any DependencyKey.Type) -> Aliases.Outcome {
    var outcome = Aliases.Outcome.added
    mutate { outcome = $0.aliases.alias(key, to: target) }
    return outcome
  }

  func reportLostReads(_ isWanted: Bool) {
    mutate { $0.reportsLostReads = isWanted }
  }

  /// Changes every copy, at once for all readers.
  private func mutate(copiesFrom index: Int = 0, _ change: (inout State) -> Void) {
    if index == count { return }
    unsafe copies[index].state.withLock { state in
      change(&state)
      flags.store(contents(of: state).rawValue, ordering: .releasing)
      // The lock is held until the others are changed, or a reader could see the old after the new.
      mutate(copiesFrom: index + 1, change)
    }
  }

  private func contents(of state: borrowing State) -> Contents {
    var contents: Contents = usesTestValues ? .testValues : []
    if !state.values.isEmpty { contents.insert(.values) }
    if !state.aliases.isEmpty { contents.insert(.aliases) }
    if state.reportsLostReads { contents.insert(.lostReads) }
    return contents
  }
}

extension OverrideNode {
  /// The global store below these overrides.
  final var store: GlobalStore { table.store }

  final var contents: GlobalStore.Contents { store.contents }
}

extension OverrideNode? {
  /// The global store below these overrides.
  var store: GlobalStore { self?.store ?? .process }

  var contents: GlobalStore.Contents { self?.contents ?? GlobalStore.process.contents }
}
