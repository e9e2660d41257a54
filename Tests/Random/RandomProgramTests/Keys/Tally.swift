import Dispatch
import Synchronization

/// Counts the objects that are alive, and lets a test wait until none is.
final class Tally: Sendable {
  private let count = Atomic(0)
  private let isEmpty = DispatchSemaphore(value: 0)

  func add(_ number: Int) {
    if count.add(number, ordering: .acquiringAndReleasing).newValue == 0 { isEmpty.signal() }
  }

  /// The number of objects left, after waiting for asynchronous ends.
  ///
  /// A task frees its closure's captures at about the time when the code that awaits it continues.
  var remaining: Int {
    while count.load(ordering: .acquiring) != 0 {
      if isEmpty.wait(timeout: .now() + .seconds(60)) == .timedOut { break }
    }
    return count.load(ordering: .acquiring)
  }
}
