import ComposableDependencies
import Dispatch
import Foundation
import TestSupport
import Testing

@Suite("Boundaries: signals", .serialized)
struct SignalBoundariesTests {
  /// Raises a signal and waits for the source that a dispatch queue drives.
  private func values(_ read: @escaping @Sendable () -> Int) async -> Int {
    // Not SIG_IGN: Linux drops an ignored signal before a source sees it, unless it is blocked.
    signal(SIGUSR1) { _ in }
    let source = DispatchSource.makeSignalSource(signal: SIGUSR1, queue: .global())
    defer { source.cancel() }
    return await withCheckedContinuation { continuation in
      source.setRegistrationHandler { kill(getpid(), SIGUSR1) }
      source.setEventHandler { continuation.resume(returning: read()) }
      source.resume()
    }
  }

  @Test("the handler of a signal is in no scope")
  func plain() async {
    await Crossing.here.run {
      #expect(await values { DependencyScope.current.a } == 1)
    }
  }

  @Test("a bound handler of a signal is in the scope that it was bound in")
  func bound() async {
    await Crossing.here.run {
      #expect(
        await values(DependencyScope.current.bind { DependencyScope.current.a }) == 10)
    }
  }
}
