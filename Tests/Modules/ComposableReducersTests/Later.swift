import Synchronization

/// Does something that is set later.
final class Later: Sendable {
  private let body = Mutex<(@Sendable () -> Void)?>(nil)
  func set(_ body: @escaping @Sendable () -> Void) { self.body.withLock { $0 = body } }
  func callAsFunction() { body.withLock { $0 }?() }
}
