internal import AllocationCounter
internal import Dispatch
internal import Foundation
internal import Synchronization

/// Runs an operation to completion on a new thread with a stack of 512 KB, like that of a secondary
/// thread on Apple's systems.
package func onSmallStack(_ operation: @escaping @Sendable () -> Void) {
  let isDone = DispatchSemaphore(value: 0)
  let thread = Thread {
    operation()
    isDone.signal()
  }
  // A sanitizer takes more of it in each call.
  thread.stackSize = (is_sanitized() ? 2048 : 512) << 10
  thread.start()
  isDone.wait()
}

/// Runs an operation on two threads at once, again and again, and returns what each round gave.
///
/// A round begins when both threads have come to it. Nothing else orders what the two threads do, so
/// a sanitizer reports each access that the tested code leaves unordered.
@discardableResult
package func onTwoThreads<Result: Sendable>(
  rounds: Int, _ operation: @escaping @Sendable (_ round: Int, _ isFirst: Bool) -> Result
) -> [(first: Result, second: Result)] {
  let arrivals = Arrivals()
  let results = Mutex<[Bool: [Result]]>([:])
  let isDone = DispatchSemaphore(value: 0)
  for isFirst in [true, false] {
    Thread {
      var own: [Result] = []
      for round in 0..<rounds {
        arrivals.arrive(in: round)
        // One of them begins a little later, each in its turn.
        if isFirst == (round / 12 % 2 == 0) { arrivals.pause(1 << (round % 12)) }
        own.append(operation(round, isFirst))
      }
      results.withLock { [own] in $0[isFirst] = own }
      isDone.signal()
    }.start()
  }
  for _ in 0..<2 { isDone.wait() }
  return results.withLock { zip($0[true]!, $0[false]!).map { (first: $0, second: $1) } }
}

/// Where two threads wait for each other, without an order that a sanitizer could see.
private final class Arrivals: Sendable {
  private let count = Atomic(0)

  func arrive(in round: Int) {
    count.add(1, ordering: .relaxed)
    var turns = 0
    while count.load(ordering: .relaxed) < 2 * (round + 1) {
      turns += 1
      if turns > 1_000 { sched_yield() }
    }
  }

  func pause(_ turns: Int) {
    for _ in 0..<turns { _ = count.load(ordering: .relaxed) }
  }
}
