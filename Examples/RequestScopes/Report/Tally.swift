import Synchronization

/// Where a read is done, in the order of the table.
enum Boundary: String, CaseIterable {
  case sameTask = "same task, after a suspension"
  case asyncLet = "async let"
  case groupChild = "child of a task group"
  case unstructuredTask = "Task {}"
  case actorHop = "method of an actor"
  case retriedChild = "attempt with a timeout"
  case streamProducer = "producer of an AsyncStream"
  case afterContinuation = "after a continuation"
  case cleanup = "cleanup of a cancelled task"
  case queueCallback = "callback on a queue"
  case detachedTask = "detached task"
  case unfoldedByConsumer = "AsyncStream(unfolding:)"
  case mappedByConsumer = "closure of a map"
  case onCancel = "cancellation handler"
  case onTermination = "onTermination"
  case deinitializer = "deinit"
  case environmentElsewhere = "closure in another's task"
}

/// Reads that saw another request's value, and reads that saw none.
struct Wrong: Equatable {
  var other = 0
  var none = 0

  fileprivate mutating func count(_ value: Int?, expected: Int) {
    if value == nil { none += 1 } else if value != expected { other += 1 }
  }
}

struct Counts: Equatable {
  var reads = 0
  var plain = Wrong()
  var library = Wrong()
}

/// Counts what reads have seen, by boundary.
final class Tally: Sendable {
  private let counts = Mutex<[Boundary: Counts]>([:])

  subscript(boundary: Boundary) -> Counts {
    counts.withLock { $0[boundary, default: Counts()] }
  }

  func count(_ boundary: Boundary, expected: Int, plain: Int?, library: Int?) {
    counts.withLock { counts in
      counts[boundary, default: Counts()].reads += 1
      counts[boundary, default: Counts()].plain.count(plain, expected: expected)
      counts[boundary, default: Counts()].library.count(library, expected: expected)
    }
  }
}
