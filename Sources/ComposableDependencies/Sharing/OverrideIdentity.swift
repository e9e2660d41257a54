internal import Synchronization

/// What all copies of an override have in common, and no other override has.
///
/// It lives as long as one of the copies, and frees what shared keys have made from the override.
final class OverrideIdentity: Sendable {
  private struct Dependents {
    var all: [SharedInstance] = []
    /// The number of instances above which those that are freed already are removed.
    var limit = 8
  }

  private let dependents = Mutex(Dependents())

  deinit {
    for instance in dependents.withLock({ $0.all }) { instance.drop() }
  }

  var address: UInt { UInt(bitPattern: ObjectIdentifier(self)) }

  /// Frees an instance with this override.
  func add(_ instance: SharedInstance) {
    let crowded = dependents.withLock { dependents in
      dependents.all.append(instance)
      return dependents.all.count > dependents.limit ? dependents.all : []
    }
    if !crowded.isEmpty { removeDropped(of: crowded) }
  }

  /// Asks each instance outside the lock, because an answer may release the last store.
  private func removeDropped(of all: [SharedInstance]) {
    let dropped = Set(all.lazy.filter(\.isDropped).map { ObjectIdentifier($0) })
    dependents.withLock { dependents in
      dependents.all.removeAll { dropped.contains(ObjectIdentifier($0)) }
      dependents.limit = max(8, 2 * dependents.all.count)
    }
    // Those that were removed are released here, not under the lock.
    withExtendedLifetime(all) {}
  }
}

// MARK: - The identity of an override

/// What an override knows of its identity: nothing, a number that is 1 in its lowest bit, or the address of
/// an `OverrideIdentity`, which it owns.
///
/// A number is enough for copies of an override that no shared key has read. It becomes an identity
/// when a shared key reads one of them.
extension Override {
  /// The address of the identity; 0 if there is none.
  @inline(__always)
  var identityAddress: UInt {
    let word = identityWord { $0.load(ordering: .acquiring) }
    return word & 1 == 0 ? word : 0
  }

  /// The identity of an override that a shared key has read.
  var identityOfInput: OverrideIdentity {
    InputKeys.insert(id)
    return identity
  }

  /// The identity, made if there is none.
  private var identity: OverrideIdentity {
    while true {
      let word = identityWord { $0.load(ordering: .acquiring) }
      if let identity = Self.identity(at: word) { return identity }
      let identity = word == 0 ? OverrideIdentity() : NumberedIdentities.identity(word)
      if attach(identity, insteadOf: word) { return identity }
    }
  }

  /// The identity, if a copy of this override has one.
  var knownIdentity: OverrideIdentity? {
    let word = identityWord { $0.load(ordering: .acquiring) }
    if word == 0 { return nil }
    return Self.identity(at: word) ?? identity
  }

  /// Gets the identity of the override that this is a copy of.
  func shareIdentity(of original: Override) {
    if InputKeys.contains(original.id) {
      _ = attach(original.identity, insteadOf: 0)
      return
    }
    let fresh = NumberedIdentities.nextNumber()
    let (isFirst, word) = original.identityWord {
      $0.compareExchange(expected: 0, desired: fresh, ordering: .acquiringAndReleasing)
    }
    if isFirst {
      identityWord { $0.store(fresh, ordering: .releasing) }
    } else if let identity = Self.identity(at: word) {
      _ = attach(identity, insteadOf: 0)
    } else {
      identityWord { $0.store(word, ordering: .releasing) }
    }
  }

  /// Gets an identity if one of the keys for which this is about to be copied is a known input.
  func prepareIdentity(forCopiesFor keys: [any DependencyKey.Type]) {
    if keys.contains(where: { InputKeys.contains(ObjectIdentifier($0)) }) { _ = identity }
  }

  private func attach(_ identity: OverrideIdentity, insteadOf word: UInt) -> Bool {
    let retained = Unowned.retaining(identity)
    let (isFirst, _) = identityWord {
      $0.compareExchange(
        expected: word, desired: identity.address, ordering: .acquiringAndReleasing)
    }
    if !isFirst { retained.release() }
    return isFirst
  }

  func releaseIdentity() {
    let word = identityWord { $0.load(ordering: .acquiring) }
    if word != 0, word & 1 == 0 { Unowned<OverrideIdentity>(address: word).release() }
  }

  private static func identity(at word: UInt) -> OverrideIdentity? {
    word == 0 || word & 1 == 1 ? nil : Unowned<OverrideIdentity>(address: word).object
  }
}

/// The keys that a shared key ever read from an override.
///
/// Copies of their overrides get an identity at once, so that it lives as long as the last copy.
private enum InputKeys {
  private static let keys = GlobalKeys()

  static func contains(_ id: ObjectIdentifier) -> Bool { keys.use(of: id) != .none }

  static func insert(_ id: ObjectIdentifier) {
    if !contains(id) { keys.insert([id], areAliased: false) }
  }
}

/// The identities of overrides that were copied before a shared key has read their key.
private enum NumberedIdentities {
  fileprivate struct Numbered {
    let number: UInt
    weak let identity: OverrideIdentity?
  }

  fileprivate struct State {
    /// In the order of their numbers.
    var all: [Numbered] = []
    /// How many there may be before those that are gone are removed.
    var limit = 64
  }

  private static let lastNumber = Atomic<UInt>(1)
  private static let state = Mutex(State())

  static func nextNumber() -> UInt { lastNumber.add(2, ordering: .relaxed).newValue }

  static func identity(_ number: UInt) -> OverrideIdentity {
    // Released after the lock: an identity frees what was made from it.
    let (identity, alive) = state.withLock { state in
      let alive = state.all.count < state.limit ? [] : removeGone(&state)
      let index = state.firstIndex(from: number)
      let isThere = index < state.all.count && state.all[index].number == number
      if isThere, let identity = state.all[index].identity { return (identity, alive) }
      let identity = OverrideIdentity()
      let numbered = Numbered(number: number, identity: identity)
      if isThere { state.all[index] = numbered } else { state.all.insert(numbered, at: index) }
      return (identity, alive)
    }
    return withExtendedLifetime(alive) { identity }
  }

  private static func removeGone(_ state: inout State) -> [OverrideIdentity?] {
    let identities = state.all.map(\.identity)
    state.all = zip(state.all, identities).compactMap { $1 == nil ? nil : $0 }
    state.limit = max(64, 2 * state.all.count)
    return identities
  }
}

extension NumberedIdentities.State {
  fileprivate func firstIndex(from number: UInt) -> Int {
    var (first, end) = (0, all.count)
    while first < end {
      let middle = (first + end) / 2
      if all[middle].number < number { first = middle + 1 } else { end = middle }
    }
    return first
  }
}
