internal import Synchronization

/// Lost reads: reads of defaults from a scope that was built outside any scope, reported to a test
/// library on demand.
package enum LostReads {
  /// A registered observer of lost reads.
  package final class Listener: Sendable {
    fileprivate let handle: @Sendable (any DependencyKey.Type) -> Void

    fileprivate init(_ handle: @escaping @Sendable (any DependencyKey.Type) -> Void) {
      self.handle = handle
    }
  }

  private static let listeners = Mutex<[Listener]>([])

  /// Calls `handle` at every lost read, on the reading thread, until the listener ends.
  ///
  /// Meanwhile, reads of defaults over the process's global store are slower.
  package static func listen(
    _ handle: @escaping @Sendable (any DependencyKey.Type) -> Void
  ) -> Listener {
    let listener = Listener(handle)
    change { $0.append(listener) }
    return listener
  }

  package static func end(_ listener: Listener) {
    change { listeners in listeners.removeAll { $0 === listener } }
  }

  static func report(_ key: any DependencyKey.Type) {
    for listener in listeners.withLock({ $0 }) { listener.handle(key) }
  }

  private static func change(_ change: (inout [Listener]) -> Void) {
    listeners.withLock { listeners in
      change(&listeners)
      GlobalStore.process.reportLostReads(!listeners.isEmpty)
    }
  }
}
