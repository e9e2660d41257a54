import ComposableDependencies
import Dispatch
import Foundation
import Synchronization
import TestSupport
import Testing

@Suite("Boundaries: signals")
struct SignalBoundariesTests {
  @Test("the handler of a signal is in no scope, a bound one in the scope that it was bound in")
  func signals() async throws {
    let found = Mutex<(plain: Int, bound: Int)?>(nil)
    let read = { @Sendable in DependencyScope.current.a }
    let source = DispatchSource.makeSignalSource(signal: SIGUSR1, queue: .global())
    defer { source.cancel() }
    let bound = Crossing.here.bind(read)
    // Linux drops what is ignored, and where it is not, may hand a signal to a thread of its choice
    // before the source sees it; hence a handler, and more than one signal.
    signal(SIGUSR1) { _ in }
    await Crossing.here.run {
      await withCheckedContinuation { continuation in
        source.setRegistrationHandler { continuation.resume() }
        source.setEventHandler { found.withLock { $0 = (read(), bound()) } }
        source.resume()
      }
      while found.withLock({ $0 == nil }) {
        kill(getpid(), SIGUSR1)
        await Task.yield()
      }
    }
    let values = try #require(found.withLock { $0 })
    #expect(values == (1, 10))
  }
}
