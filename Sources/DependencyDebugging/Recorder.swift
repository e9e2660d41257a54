package import ComposableDependencies
internal import Environments
internal import Synchronization

/// Records what happens in the scopes over one global store, and reports reads to its listeners.
final class Recorder: Sendable {
  private let listeners = Mutex<[ReadListener]>([])
  private let isListening = Atomic(false)

  /// Whether a read is reported to anybody.
  var hasListeners: Bool { isListening.load(ordering: .relaxed) }

  func report(_ read: RecordedRead) {
    for listener in listeners.withLock({ $0 }) {
      if let loss = read.loss {
        listener.lostRead?(read.key, loss == .inScopeBuiltOutside)
      } else {
        listener.read?(read)
      }
    }
  }

  /// Changes the listeners, and what the store asks about.
  func change(_ change: (inout [ReadListener]) -> Void, over scope: DependencyScope) {
    listeners.withLock { listeners in
      change(&listeners)
      let listensToReads = listeners.contains { $0.read != nil }
      let listensToLostReads = listeners.contains { $0.lostRead != nil }
      isListening.store(listensToReads || listensToLostReads, ordering: .relaxed)
      scope.setOption(.observingReads, listensToReads)
      scope.setOption(.observingLostReads, listensToLostReads)
    }
  }
}

/// A listener to the reads over one global store.
package final class ReadListener: Sendable {
  fileprivate let read: (@Sendable (RecordedRead) -> Void)?
  fileprivate let undeclaredRead: (@Sendable (UndeclaredRead) -> Void)?
  fileprivate let lostRead: (@Sendable (any DependencyKey.Type, _ isInScope: Bool) -> Void)?

  init(
    read: (@Sendable (RecordedRead) -> Void)?,
    undeclaredRead: (@Sendable (UndeclaredRead) -> Void)?,
    lostRead: (@Sendable (any DependencyKey.Type, _ isInScope: Bool) -> Void)?
  ) {
    self.read = read
    self.undeclaredRead = undeclaredRead
    self.lostRead = lostRead
  }
}

extension DependencyScope {
  /// The recorder of this scope's global store.
  var recorder: Recorder {
    // Nothing else observes a store.
    storeObserver(makingOne: { Recorder() }) as! Recorder
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
    _ handle: @escaping @Sendable (RecordedRead) -> Void,
    undeclared: (@Sendable (UndeclaredRead) -> Void)? = nil
  ) -> ReadListener {
    listen(ReadListener(read: handle, undeclaredRead: undeclared, lostRead: nil))
  }

  /// Calls `handle` at every read of a default outside any scope.
  ///
  /// - Parameter handle: Gets the key, and whether it was read in a scope that was built outside any
  ///   scope.
  package func listenToLostReads(
    _ handle: @escaping @Sendable (any DependencyKey.Type, _ isInScope: Bool) -> Void
  ) -> ReadListener {
    listen(ReadListener(read: nil, undeclaredRead: nil, lostRead: handle))
  }

  private func listen(_ listener: ReadListener) -> ReadListener {
    recorder.change({ $0.append(listener) }, over: self)
    return listener
  }

  package func end(_ listener: ReadListener) {
    recorder.change({ listeners in listeners.removeAll { $0 === listener } }, over: self)
  }
}

// MARK: - Observing

extension Recorder: ScopeObserver {
  func update(_ scope: ScopeNode?, at place: SourceLocation, _ update: () -> Void) {
    RecordedUpdate(at: place, in: DependencyScope(node: scope), reportingTo: self).run(update)
  }

  func observer(of key: any DependencyKey.Type, in scope: ScopeNode?) -> (any ReadObserver)? {
    RecordedUpdate.current?.origin(of: key, in: DependencyScope(node: scope))
  }

  func didRead(_ key: any DependencyKey.Type, _ value: Override) {
    record(key, .global(value.origin))
    value.origin?.noteRead()
  }

  func computeDefault(
    of key: any DependencyKey.Type, readBy reader: StaticString, _ compute: () -> Void
  ) {
    if !hasListeners || key is any UnrecordedKey.Type { return compute() }
    PropertyNames.learn(key, from: reader)
    record(key, .defaultValue)
    DefaultBeingComputed.run(key, compute)
  }

  func didLoseRead(of key: any DependencyKey.Type, by reader: StaticString, isInScope: Bool) {
    PropertyNames.learn(key, from: reader)
    record(key, .defaultValue, loss: isInScope ? .inScopeBuiltOutside : .inNoScope)
  }

  /// Records a read that found no override.
  private func record(
    _ key: any DependencyKey.Type, _ source: RecordedRead.Source, loss: RecordedRead.Loss? = nil
  ) {
    if key is any UnrecordedKey.Type || ReadKeys.areBeingFound { return }
    let read = RecordedRead(
      key: key, source: source, defaults: DefaultBeingComputed.keys, loss: loss)
    if read.isDefault, let update = RecordedUpdate.current, !update.add(read) { return }
    report(read)
  }
}

extension Recorder: EnvironmentObserver {
  func willRead<Value>(
    _ keyPath: KeyPath<Dependencies, Value>, through environment: any DependencyEnvironment,
    in scope: DependencyScope
  ) {
    let listeners = listeners.withLock { $0 }.filter { $0.undeclaredRead != nil }
    if listeners.isEmpty { return }
    for read in UndeclaredRead.reads(of: keyPath, through: environment, in: scope) {
      for listener in listeners { listener.undeclaredRead?(read) }
    }
  }
}

/// The defaults that are being computed, for which their reads count; the innermost first.
enum DefaultBeingComputed {
  @TaskLocal static var keys: [any DependencyKey.Type] = []

  static func run(_ key: any DependencyKey.Type, _ compute: () -> Void) {
    // Defaults that read each other never end, but the list must.
    $keys.withValue(Array(([key] + keys).prefix(64)), operation: compute)
  }
}
