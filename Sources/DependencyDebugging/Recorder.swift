package import ComposableDependencies
internal import Synchronization

/// Records what happens in the scopes over one global store, and reports reads to its listeners.
final class Recorder: Watcher {
  private let listeners = Mutex<[ReadListener]>([])
  private let isListening = Atomic(false)

  /// Whether a read is reported to anybody.
  var hasListeners: Bool { isListening.load(ordering: .relaxed) }

  func report(_ read: Read) {
    for listener in listeners.withLock({ $0 }) {
      switch listener.kind {
      case .everyRead: listener.handle(read)
      case .lostReads: if read.isLost { listener.handle(read) }
      }
    }
  }

  /// Changes the listeners, and what the store notifies the recorder of.
  fileprivate func change(
    over scope: DependencyScope, _ change: (inout [ReadListener]) -> Void
  ) {
    listeners.withLock { listeners in
      change(&listeners)
      isListening.store(!listeners.isEmpty, ordering: .relaxed)
      scope.setOption(.watchingReads, listeners.contains { $0.kind == .everyRead })
      scope.setOption(.watchingLostReads, listeners.contains { $0.kind == .lostReads })
    }
  }
}

extension Read {
  package var isDefault: Bool {
    if case .defaultValue = source { true } else { false }
  }

  /// Whether it found a default, in a scope that was built outside any scope.
  var isLost: Bool { isDefault && scope.isLost }

  /// The key that code read which a number of defaults run.
  fileprivate func outermostKey(inside count: Int) -> any DependencyKey.Type {
    defaults.dropLast(count).last ?? key
  }

  fileprivate func isSame(as other: Read) -> Bool {
    key == other.key && isDefault == other.isDefault && isLost == other.isLost
      && scope.isOutsideAnyScope == other.scope.isOutsideAnyScope
      && defaults.elementsEqual(other.defaults, by: ==)
  }
}

// MARK: - Listening

/// A listener to the reads over one global store.
package final class ReadListener: Sendable {
  enum Kind { case everyRead, lostReads }

  fileprivate let kind: Kind
  fileprivate let handle: @Sendable (Read) -> Void
  fileprivate let handleUndeclared: (@Sendable (UndeclaredRead) -> Void)?

  fileprivate init(
    _ kind: Kind, _ handle: @escaping @Sendable (Read) -> Void,
    undeclared: (@Sendable (UndeclaredRead) -> Void)?
  ) {
    self.kind = kind
    self.handle = handle
    handleUndeclared = undeclared
  }
}

extension DependencyScope {
  /// The recorder of this scope's global store.
  var recorder: Recorder {
    // Nothing else watches a store.
    watcher(makingOne: { Recorder() }) as! Recorder
  }

  /// Calls `handle` at every read over this scope's global store, on the reading thread, until the
  /// listener ends.
  ///
  /// Meanwhile these reads are slower.
  ///
  /// - Parameters:
  ///   - handle: Called at every read.
  ///   - undeclared: Called where an environment reads what it doesn't declare, in a debug build.
  package func listenToReads(
    _ handle: @escaping @Sendable (Read) -> Void,
    undeclared: (@Sendable (UndeclaredRead) -> Void)? = nil
  ) -> ReadListener {
    listen(ReadListener(.everyRead, handle, undeclared: undeclared))
  }

  /// Calls `handle` at every read of a default outside any scope, or in a scope that was built there.
  package func listenToLostReads(
    _ handle: @escaping @Sendable (Read) -> Void
  ) -> ReadListener {
    listen(ReadListener(.lostReads, handle, undeclared: nil))
  }

  private func listen(_ listener: ReadListener) -> ReadListener {
    recorder.change(over: self) { $0.append(listener) }
    return listener
  }

  package func end(_ listener: ReadListener) {
    recorder.change(over: self) { listeners in listeners.removeAll { $0 === listener } }
  }
}

// MARK: - Reads

extension Recorder {
  func didRead(_ read: Read) {
    if case .global(let value) = read.source { value.origin?.noteRead() }
    if read.isDefault { PropertyNames.learn(read.key, from: read.reader) }
    if !hasListeners || read.key is any UnrecordedKey.Type { return }
    if read.isDefault, let update, update.keep(read) { return }
    report(read)
  }

  func willRead<Root, Value>(
    _ keyPath: KeyPath<Root, Value>, through reader: Any, in scope: ScopeNode?
  ) {
    guard let keyPath = keyPath as? KeyPath<Dependencies, Value> else { return }
    let handlers = listeners.withLock { $0.compactMap(\.handleUndeclared) }
    if handlers.isEmpty { return }
    for read in UndeclaredRead.reads(of: keyPath, through: reader, in: DependencyScope(node: scope))
    {
      for handle in handlers { handle(read) }
    }
  }
}

// MARK: - Updates

extension Recorder {
  /// The update that is running, if it updates a scope over this recorder's store.
  private var update: RecordedUpdate? {
    RecordedUpdate.current.flatMap { $0.recorder === self ? $0 : nil }
  }

  func update(_ scope: ScopeNode?, at place: SourceLocation, _ update: () -> Void) {
    let recorded = RecordedUpdate(at: place, in: DependencyScope(node: scope), reportingTo: self)
    RecordedUpdate.$current.withValue(recorded, operation: update)
    for read in recorded.end() { report(read) }
  }

  func watcher(of key: any DependencyKey.Type, in scope: ScopeNode?) -> (any ReadWatcher)? {
    update?.origin(of: key, in: DependencyScope(node: scope))
  }
}

/// One call that sets dependencies where places are recorded, such as `withDependencies`.
///
/// It gives each override its place.
final class RecordedUpdate: Sendable {
  /// The update that is running.
  @TaskLocal static var current: RecordedUpdate?

  private let place: SourceLocation
  private let scopes: [SourceLocation]
  fileprivate let recorder: Recorder
  /// The number of defaults that run this update.
  private let depth = Read.currentDefaults.count
  /// The reads of defaults that the update may still replace; `nil` after its end.
  private let reads = Mutex<[Read]?>([])

  init(at place: SourceLocation, in scope: DependencyScope, reportingTo recorder: Recorder) {
    self.place = place
    self.recorder = recorder
    scopes = (scope.recordedScopes + [place]).suffix(Origin.longestHistory)
  }

  /// The place of an override that is about to be set.
  ///
  /// A default that was read and is now replaced counts as not read: `with(\.k, v)` reads `k` first,
  /// because Swift does.
  func origin(of key: any DependencyKey.Type, in scope: DependencyScope) -> Origin? {
    if key is any UnrecordedKey.Type { return nil }
    var older: Origin?
    if case .override(let override) = scope.source(of: key) { older = override.origin }
    let keys = scope.aliasedKeys(with: key).map { ObjectIdentifier($0) }
    let replaced = reads.withLock { reads in
      let all = reads ?? []
      reads?.removeAll { keys.contains(ObjectIdentifier($0.outermostKey(inside: depth))) }
      return all
    }
    // Released after the lock, because a read retains its scope, and with it values.
    withExtendedLifetime(replaced) {}
    return Origin(of: key, place, replacing: older, in: scopes, reportingTo: recorder)
  }

  /// Keeps a read of a default until the end of the update.
  ///
  /// - Returns: `false` if the update has ended already.
  func keep(_ read: Read) -> Bool {
    reads.withLock { reads in
      if reads == nil { return false }
      // Bounded, because an update may read in a loop.
      if !reads!.contains(where: { $0.isSame(as: read) }) { reads!.append(read) }
      return true
    }
  }

  /// Ends the update, and returns the reads that remain.
  func end() -> [Read] { reads.withLock { $0.take() } ?? [] }
}
