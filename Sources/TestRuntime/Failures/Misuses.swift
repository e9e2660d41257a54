internal import ComposableDependencies
internal import Synchronization

/// The misuses in one test, each of which fails it once.
package final class Misuses: Sendable {
  private let counts = Mutex<[DependencyIssue: Int]>([:])
  private let thrower = Mutex<String?>(nil)

  private struct WeakMisuses {
    weak let misuses: Misuses?
  }

  /// Those of tests without a scope, whose stores and clocks keep them.
  private static let withoutScope = Mutex<[TestCaseID: WeakMisuses]>([:])

  /// The misuses in the running test, with or without a scope of its own.
  package static var running: Misuses? {
    if let context = TestContext.current { return context.misuses }
    guard let test = TestCaseID.current else { return nil }
    return withoutScope.withLock { known in
      if let misuses = known[test]?.misuses { return misuses }
      known = known.filter { $0.value.misuses != nil }
      let misuses = Misuses()
      known[test] = WeakMisuses(misuses: misuses)
      return misuses
    }
  }

  /// Remembers an unimplemented dependency that threw.
  func note(thrower name: String) { thrower.withLock { $0 = $0 ?? name } }

  /// A line for failures that may follow from what threw before; empty if nothing did.
  package var consequence: String {
    thrower.withLock { $0 }.map {
      "\n  This may follow from `\($0)`, which is unimplemented and threw before."
    } ?? ""
  }

  func isNew(_ issue: DependencyIssue) -> Bool {
    counts.withLock { counts in
      counts[issue, default: 0] += 1
      return counts[issue] == 1
    }
  }

  /// Says how often each happened, at the end of the test.
  package func warnOfRepeated() {
    for (issue, count) in counts.withLock({ $0 }) where count > 1 {
      TestFailure.warn(
        "This happened \(count) times: \(issue)", at: TestFailure.location(of: issue))
    }
  }
}
