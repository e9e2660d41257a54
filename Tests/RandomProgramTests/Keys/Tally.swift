import Dispatch
import Synchronization

/// Counts the objects that are alive, and lets a test wait until none is.
final class Tally: Sendable {
  private let count = Atomic(0)
  private let isEmpty = DispatchSemaphore(value: 0)

  func add(_ number: Int) {
    if count.add(number, ordering: .acquiringAndReleasing).newValue == 0 { isEmpty.signal() }
  }

  /// How many objects are left, at the latest when what ends asynchronously had time to.
  ///
  /// A task frees what its closure captured about when whoever waits for it goes on.
  var remaining: Int {
    while count.load(ordering: .acquiring) != 0 {
      if isEmpty.wait(timeout: .now() + .seconds(5)) == .timedOut { break }
    }
    return count.load(ordering: .acquiring)
  }
}
