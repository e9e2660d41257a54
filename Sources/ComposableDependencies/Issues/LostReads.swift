internal import Synchronization

/// Lost reads: reads of defaults from a scope that was built outside any scope, reported to a test
/// library on demand.
package enum LostReads {
  /// A registered observer of lost reads.
  package final class Listener: Sendable {
    fileprivate let handle: @Sendable (any DependencyKey.Type) -> Void
    /// Whether reads in a scope that was built outside any scope count.
    fileprivate let includesScopes: Bool

    fileprivate init(
      includesScopes: Bool, _ handle: @escaping @Sendable (any DependencyKey.Type) -> Void
    ) {
      self.includesScopes = includesScopes
      self.handle = handle
    }
  }

  private static let listeners = Mutex<[Listener]>([])

  /// Calls `handle` at every lost read, on the reading thread, until the listener ends.
  ///
  /// Meanwhile, reads of defaults over the process's global store are slower.
  ///
  /// - Parameter includesScopes: Whether reads in a scope that was built outside any scope count.
  package static func listen(
    includesScopes: Bool = true, _ handle: @escaping @Sendable (any DependencyKey.Type) -> Void
  ) -> Listener {
    let listener = Listener(includesScopes: includesScopes, handle)
    change { $0.append(listener) }
    return listener
  }

  package static func end(_ listener: Listener) {
    change { listeners in listeners.removeAll { $0 === listener } }
  }

  /// - Parameter isInScope: Whether it was read in a scope that was built outside any scope.
  static func report(_ key: any DependencyKey.Type, isInScope: Bool = false) {
    for listener in listeners.withLock({ $0 }) where listener.includesScopes || !isInScope {
      listener.handle(key)
    }
  }

  fileprivate static let reporting: Void = {
    _ = listen(includesScopes: false) { key in
      DependencyIssue(
        problem: """
          The default of `\(key)` was read outside any scope: detached tasks, threads and queues \
          don't carry a scope. Overrides of the code that started this work aren't seen.
          """,
        remedy: """
          capture the scope where you start that work, as in `Task.detached(in: .current) { … }` or \
          `queue.async(execute: DependencyScope.current.bind { … })`.
          """,
        at: nil
      ).report()
    }
  }()

  private static func change(_ change: (inout [Listener]) -> Void) {
    listeners.withLock { listeners in
      change(&listeners)
      GlobalStore.process.reportLostReads(!listeners.isEmpty)
    }
  }
}

extension Dependencies {
  /// Reports, in a debug build, each default that is read outside any scope.
  ///
  /// Call it once at start-up, for example of a server in which each request has its own scope:
  ///
  /// ```swift
  /// Dependencies.reportLostReads()
  /// await DependencyScope.root.run { await serve() }
  /// ```
  ///
  /// A detached task, a queue's callback or a thread has no scope: it silently reads defaults. Each
  /// such read reports a ``DependencyIssue`` that names the key. Debug builds print each of them once;
  /// replace the handler to stop in a debugger where the read happens. Code that runs in the root
  /// scope, as in the example, isn't reported, nor is the operation of a `withDependencies` that
  /// begins outside any scope.
  ///
  /// In a release build it does nothing.
  public static func reportLostReads() {
    #if DEBUG
      LostReads.reporting
    #endif
  }
}
