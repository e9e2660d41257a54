internal import Synchronization

/// A read of a dependency, in a scope over a global store that records reads.
package struct RecordedRead: Sendable {
  package enum Source: Sendable {
    case override(Origin?)
    case global(Origin?)
    /// Of the key, or of the key that it is aliased to.
    case defaultValue
  }

  package let key: any DependencyKey.Type
  package let source: Source
  /// The keys whose defaults were being computed, the innermost first.
  ///
  /// What a default reads counts for the code that reads the default.
  package let defaults: [any DependencyKey.Type]

  /// The key that the code outside of any default read.
  package var outermostKey: any DependencyKey.Type { defaults.last ?? key }

  package var isDefault: Bool {
    if case .defaultValue = source { true } else { false }
  }

  func isSame(as other: RecordedRead) -> Bool {
    key == other.key && isDefault == other.isDefault
      && defaults.elementsEqual(other.defaults, by: ==)
  }
}

/// Reports the reads over one global store to its listeners.
final class ReadRecorder: Sendable {
  private let listeners = Mutex<[ReadListener]>([])
  private let isListening = Atomic(false)

  /// Whether a read is reported to anybody.
  var hasListeners: Bool { isListening.load(ordering: .relaxed) }

  func change(_ change: (inout [ReadListener]) -> Void) {
    listeners.withLock { listeners in
      change(&listeners)
      isListening.store(!listeners.isEmpty, ordering: .relaxed)
    }
  }

  func report(_ read: RecordedRead) {
    for listener in listeners.withLock({ $0 }) { listener.handle(read) }
  }

  func report(_ read: UndeclaredRead) {
    for listener in listeners.withLock({ $0 }) { listener.handleUndeclared?(read) }
  }

  /// Whether a listener wants undeclared reads.
  var reportsUndeclaredReads: Bool {
    listeners.withLock { listeners in listeners.contains { $0.handleUndeclared != nil } }
  }
}

/// An observer of reads over one global store.
package final class ReadListener: Sendable {
  fileprivate let handle: @Sendable (RecordedRead) -> Void
  fileprivate let handleUndeclared: (@Sendable (UndeclaredRead) -> Void)?

  init(
    _ handle: @escaping @Sendable (RecordedRead) -> Void,
    undeclared: (@Sendable (UndeclaredRead) -> Void)?
  ) {
    self.handle = handle
    handleUndeclared = undeclared
  }
}

/// A key that the library itself reads, so that no recording contains it.
package protocol UnrecordedKey: DependencyKey {}

extension DependencyScope {
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
    let listener = ReadListener(handle, undeclared: undeclared)
    node.store.changeReadListeners { $0.append(listener) }
    return listener
  }

  package func end(_ listener: ReadListener) {
    node.store.changeReadListeners { listeners in listeners.removeAll { $0 === listener } }
  }
}

// MARK: - Recording a read

extension Dependencies {
  /// Finds the value of a key, and records that it was read.
  ///
  /// - Returns: If there is none, the key whose default is the value.
  func findRecorded(
    _ key: any DependencyKey.Type, _ read: (Unowned<Override>) -> Void
  ) -> (any DependencyKey.Type)? {
    switch node.source(of: key, isRead: true) {
    case .override(let value):
      withExtendedLifetime(value) {
        let value = Unowned(value)
        if value.isWatched { value.didRead(key) }
        read(value)
      }
      return nil
    case .global(let value):
      recordRead(of: key, .global(value.origin))
      withExtendedLifetime(value) { read(Unowned(value)) }
      return nil
    case .nothing(let root):
      return root  // Recorded where the default is computed.
    }
  }

  /// Reports that a shared instance was read, which was made from this.
  func didReadInput(_ key: any DependencyKey.Type, _ source: InputSource) {
    if case .override(let value) = source {
      return withExtendedLifetime(value) {
        if Unowned(value).isWatched { Unowned(value).didRead(key) }
      }
    }
    guard node.store.recordsReads else { return }
    switch source {
    case .override: break
    case .global(let value): recordRead(of: key, .global(value.origin))
    case .nothing(let root): recordRead(of: root, .defaultValue)
    }
  }

  /// Records a read that found no override.
  func recordRead(of key: any DependencyKey.Type, _ source: RecordedRead.Source) {
    if key is any UnrecordedKey.Type || ReadCharge.isProbing { return }
    let charge = ReadCharge.current
    let read = RecordedRead(key: key, source: source, defaults: charge?.keys ?? [])
    let update = update?.recorded ?? charge?.update
    if read.isDefault, let update, !update.add(read) { return }
    if case .global(let origin?) = source { origin.noteRead() }
    node.store.recorder.report(read)
  }
}

// MARK: - Defaults

/// The default that is being computed, to which its reads are charged.
final class ReadCharge: Sendable {
  @TaskLocal static var current: ReadCharge?
  /// Whether code only finds out which keys are read, which is no read.
  @TaskLocal static var isProbing = false

  let keys: [any DependencyKey.Type]
  /// The update that reads the default.
  let update: RecordedUpdate?

  private init(_ keys: [any DependencyKey.Type], update: RecordedUpdate?) {
    self.keys = keys
    self.update = update
  }

  /// Computes a default, and charges what it reads to its key.
  static func run(
    _ key: any DependencyKey.Type, update: RecordedUpdate?, _ compute: () -> Void
  ) {
    let outer = current
    // Defaults that read each other never end, but the list must.
    let keys = Array(([key] + (outer?.keys ?? [])).prefix(64))
    $current.withValue(ReadCharge(keys, update: outer?.update ?? update), operation: compute)
  }
}

extension Dependencies {
  /// Computes a default, and charges what it reads to its key.
  func charging(_ key: any DependencyKey.Type, _ compute: () -> Void) {
    if key is any UnrecordedKey.Type { return compute() }
    ReadCharge.run(key, update: update?.recorded, compute)
  }
}
