import Dispatch
import Foundation
import Testing

@testable import ComposableTesting

@Suite("The threads of test executors")
struct WorkerThreadsTests {
  @Test("run no more turns at once than there are threads")
  func count() async {
    let threads = WorkerThreads(count: 1)
    let (running, most) = (Shared(0), Shared(0))
    @Sendable func run(_ turns: Int, then end: @escaping @Sendable () -> Void) {
      threads.run {
        running.update { $0 += 1 }
        if turns > 1 { run(turns - 1, then: end) }
        for _ in 0..<10 { sched_yield() }
        most.update { $0 = max($0, running.value) }
        running.update { $0 -= 1 }
        if turns == 1 { end() }
      }
    }
    await withCheckedContinuation { continuation in
      run(1_000) { continuation.resume() }
    }
    #expect(most.value == 1)
  }

  @Test("take the turns that wait when one of them is replaced")
  func replacing() async {
    let threads = WorkerThreads(count: 1)
    let (isBlocked, isOver) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    threads.run {
      isBlocked.signal()
      isOver.wait()
    }
    wait(for: isBlocked)
    await withCheckedContinuation { continuation in
      threads.run { continuation.resume() }
      threads.replaceThread()
    }
    isOver.signal()
  }

  private func wait(for semaphore: DispatchSemaphore) { semaphore.wait() }
}
