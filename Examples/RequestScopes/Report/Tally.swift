import Synchronization

/// The results of reads, by boundary.
final class Tally: Sendable {
  private let counters = Dictionary(
    uniqueKeysWithValues: Boundary.allCases.map { ($0, Counter()) })

  subscript(boundary: Boundary) -> Counts {
    counters[boundary]!.counts
  }

  func count(_ boundary: Boundary, expected: Int, plain: Int?, library: Int?) {
    counters[boundary]!.count(expected: expected, plain: plain, library: library)
  }
}

struct Counts: Equatable {
  var reads = 0
  var plain = Wrong()
  var library = Wrong()
}

/// The number of reads that returned another request's value, and of those that returned none.
struct Wrong: Equatable {
  var other = 0
  var none = 0
}

/// Atomic, because ThreadSanitizer doesn't see the effect of a contended `Mutex` on Linux.
private final class Counter: Sendable {
  private struct WrongCounter: ~Copyable {
    private let other = Atomic(0)
    private let none = Atomic(0)

    var wrong: Wrong {
      Wrong(other: other.load(ordering: .relaxed), none: none.load(ordering: .relaxed))
    }

    func count(_ value: Int?, expected: Int) {
      if value == expected { return }
      if value == nil {
        none.add(1, ordering: .relaxed)
      } else {
        other.add(1, ordering: .relaxed)
      }
    }
  }

  private let reads = Atomic(0)
  private let plain = WrongCounter()
  private let library = WrongCounter()

  var counts: Counts {
    Counts(reads: reads.load(ordering: .relaxed), plain: plain.wrong, library: library.wrong)
  }

  func count(expected: Int, plain: Int?, library: Int?) {
    reads.add(1, ordering: .relaxed)
    self.plain.count(plain, expected: expected)
    self.library.count(library, expected: expected)
  }
}
