internal import Synchronization

/// Reads of defaults from a scope that was built where there was none, so that what they were meant
/// to see is lost; told to a test library while it wants to know.
package enum LostReads {
  package typealias Handler = @Sendable (any DependencyKey.Type) -> Void

  private static let handler = Mutex<Handler?>(nil)

  /// Calls `handler` at every such read, on the thread that reads; `nil` ends that.
  ///
  /// While there is a handler, reads of defaults over the process's global store are slower.
  package static func report(to handler: Handler?) {
    self.handler.withLock { $0 = handler }
    GlobalStore.process.reportLostReads(handler != nil)
  }

  static func report(_ key: any DependencyKey.Type) {
    handler.withLock { $0 }?(key)
  }
}
