import Foundation
import Synchronization
import Testing

@testable import ComposableDependencies

@Suite("Striped lock")
struct StripedLockTests {
  /// Lets threads share a lock, which can't be copied.
  private final class Shared: Sendable {
    let lock = StripedLock(0)
  }

  @Test("rule 9: threads that read don't wait for each other")
  func readersDoNotWait() {
    let shared = Shared()
    let read = DispatchSemaphore(value: 0)
    shared.lock.read { _ in
      for _ in 0..<64 {
        Thread {
          shared.lock.read { _ in }
          read.signal()
        }.start()
      }
      // Only the threads that share this thread's stripe wait for it.
      for _ in 0..<32 { read.wait() }
    }
    for _ in 32..<64 { read.wait() }
  }

  @Test("rule 9: no thread reads a new value while another still reads the old one")
  func writerWaitsForReaders() {
    let shared = Shared()
    let isWriting = DispatchSemaphore(value: 0)
    let hasWritten = DispatchSemaphore(value: 0)
    let seen = shared.lock.read { before in
      let before = before
      Thread {
        isWriting.signal()
        shared.lock.write { $0 = 1 }
        hasWritten.signal()
      }.start()
      isWriting.wait()
      let hasWrittenEarly = hasWritten.wait(timeout: .now() + .milliseconds(20)) == .success
      return (before, hasWrittenEarly)
    }
    hasWritten.wait()
    #expect(seen == (0, false))
    #expect(shared.lock.read { $0 } == 1)
  }
}
