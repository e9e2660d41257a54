package import ComposableDependencies
internal import Synchronization

/// Records what happens in the scopes over one global store, and reports reads to its listeners.
final class Recorder: Watcher {
  fileprivate struct State {
    /// What is called at each read, by number.
    var listeners: [Int: @Sendable (Read) -> Void] = [:]
    var listenerCount = 0
    /// What is called with each override that a read of a default passes.
    var passListener: (@Sendable (Origin) -> Void)?
    var recordsPlaces = false
    /// For each key, the scopes of the overrides that are alive.
    var overridden: [ObjectIdentifier: [ObjectIdentifier: [SourcePlace]]] = [:]
  }

  private let state = Mutex(State())
  /// Whether there is a listener.
  private let isListening = Atomic(false)

  var recordsPlaces: Bool { state.withLock { $0.recordsPlaces } }

  func report(_ read: Read) {
    for listener in state.withLock({ $0.listeners }).values { listener(read) }
  }

  /// Changes what is recorded and reported; the store is watched as long as anything is.
  fileprivate func change<R>(over scope: DependencyScope, _ change: (inout State) -> R) -> R {
    state.withLock { state in
      defer {
        isListening.store(!state.listeners.isEmpty, ordering: .relaxed)
        scope.isWatched = state.recordsPlaces || !state.listeners.isEmpty
      }
      return change(&state)
    }
  }
}

extension DependencyScope {
  /// The recorder of this scope's global store.
  var recorder: Recorder {
    // Nothing else watches a store.
    watcher(makingOne: { Recorder() }) as! Recorder
  }

  /// Records where dependencies are overridden and set, over this scope's global store.
  package func recordPlaces() { recorder.change(over: self) { $0.recordsPlaces = true } }

  /// Whether places are recorded over this scope's global store.
  var recordsPlaces: Bool { (watcher as? Recorder)?.recordsPlaces ?? false }
}

extension Read {
  package var isDefault: Bool {
    if case .defaultValue = source { true } else { false }
  }

  /// Whether it found a default, in a scope that was built outside any scope.
  var isLost: Bool { isDefault && scope.beganOutsideAnyScope }
}

// MARK: - What is overridden

extension Recorder {
  func add(_ origin: Origin) {
    state.withLock {
      $0.overridden[ObjectIdentifier(origin.key), default: [:]][ObjectIdentifier(origin)] =
        origin.calls.map(\.place)
    }
  }

  func remove(_ origin: Origin) {
    state.withLock { $0.overridden[ObjectIdentifier(origin.key)]?[ObjectIdentifier(origin)] = nil }
  }

  /// Whether a scope that wasn't built on a read's scope overrides its key.
  func isOverriddenElsewhere(_ read: Read) -> Bool {
    let scopes = read.scope.recordedScopes.map(\.description)
    let keys = read.scope.aliasedKeys(with: read.key).map { ObjectIdentifier($0) }
    let overridden = state.withLock { state in keys.compactMap { state.overridden[$0] } }
    return overridden.joined().contains { !$0.value.map(\.description).starts(with: scopes) }
  }
}

// MARK: - Listening

extension DependencyScope {
  /// Calls `listener` at every read over this scope's global store, on the reading thread.
  ///
  /// Meanwhile these reads are slower.
  ///
  /// - Returns: The end of that.
  package func listenToReads(
    _ listener: @escaping @Sendable (Read) -> Void
  ) -> @Sendable () -> Void {
    let recorder = recorder
    let number = recorder.change(over: self) { state in
      state.listenerCount += 1
      state.listeners[state.listenerCount] = listener
      return state.listenerCount
    }
    return { recorder.change(over: self) { $0.listeners[number] = nil } }
  }

  /// Calls `listener` at every read of a default outside any scope, or in a scope that was built there.
  package func listenToLostReads(
    _ listener: @escaping @Sendable (Read) -> Void
  ) -> @Sendable () -> Void {
    listenToReads { if $0.isLost { listener($0) } }
  }
}

// MARK: - Reads

extension Recorder {
  func didRead(_ read: Read) {
    read.source.found?.origin?.noteRead()
    let passed = read.isDefault ? passedOverride(of: read.key) : nil
    if !isListening.load(ordering: .relaxed), passed == nil { return }
    if read.isDefault { PropertyNames.learn(read.key, from: read.reader) }
    if read.key is any UnrecordedKey.Type { return }
    if read.isDefault, let update, update.keep(read) { return }
    // The whole state, because a bare closure leaks memory each time it is taken out of a mutex.
    if let passed { state.withLock { $0 }.passListener?(passed) }
    report(read)
  }
}

// MARK: - Updates

extension Recorder {
  /// The update that is running, if it updates a scope over this recorder's store.
  private var update: RecordedUpdate? {
    RecordedUpdate.current.flatMap { $0.recorder === self ? $0 : nil }
  }

  func update(_ scope: ScopeNode?, at place: SourcePlace, _ update: () -> ScopeNode?) {
    let recorded = RecordedUpdate(at: place, in: DependencyScope(node: scope), reportingTo: self)
    let updated = RecordedUpdate.$current.withValue(recorded, operation: update)
    for read in recorded.end(in: DependencyScope(node: updated)) { report(read) }
  }

  func record(
    of key: any DependencyKey.Type, setBy setter: StaticString, in scope: ScopeNode?
  ) -> (any AnyObject & Sendable)? {
    PropertyNames.learn(key, from: setter)
    return update?.origin(of: key, in: DependencyScope(node: scope))
  }
}

// MARK: - Overrides that a read passes

/// The calls that overrode dependencies for the running code, the innermost first.
///
/// Unlike the current scope, it keeps those around a captured scope that is entered.
private final class OverridingCalls: Sendable {
  let calls: [OverridingCall]

  init(_ calls: [OverridingCall]) {
    // Limited, because an effect may start another one endlessly.
    self.calls = Array(calls.prefix(2 * Origin.longestHistory))
  }

  static var current: [OverridingCall] { (Read.note as? OverridingCalls)?.calls ?? [] }
}

extension Recorder {
  func note(entering scope: ScopeNode?) -> (any AnyObject & Sendable)? {
    let outer = OverridingCalls.current
    let calls = Array(DependencyScope(node: scope).recordedCalls.reversed())
    if outer.starts(with: calls, by: ===) { return nil }
    return OverridingCalls(
      calls + outer.filter { call in !calls.contains { $0 === call } })
  }

  /// The override that the running code would read in the scope of its call, if nothing has read it.
  private func passedOverride(of key: any DependencyKey.Type) -> Origin? {
    for call in OverridingCalls.current {
      // Asked once, because the override may end on another thread.
      guard let origin = call.origin(of: key) else { continue }
      return origin.recorder === self && !origin.wasRead ? origin : nil
    }
    return nil
  }
}

extension DependencyScope {
  /// Calls a listener if a default over this scope's global store is read where a call overrides the
  /// key, because what reads it has captured an older scope.
  package func listenToPassedOverrides(_ listener: @escaping @Sendable (Origin) -> Void) {
    recorder.change(over: self) { $0.passListener = listener }
  }
}
