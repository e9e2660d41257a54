internal import ComposableDependencies
internal import Synchronization

/// The misuses in one test, each of which fails it once.
package final class Misuses: Sendable {
  private let counts = Mutex<[DependencyIssue: Int]>([:])
  private let thrower = Mutex<String?>(nil)

  private struct Entry {
    weak let run: TestRun?
    let misuses: Misuses
  }

  /// Those of tests without a scope, kept while a store or a clock of the test exists.
  private static let withoutScope = Mutex<[Entry]>([])

  /// The misuses in the running test, with or without a scope of its own.
  package static var running: Misuses? {
    if let context = TestContext.current { return context.misuses }
    guard TestCaseID.current != nil else { return nil }
    let run = TestRun.running
    return withoutScope.withLock { entries in
      entries.removeAll { $0.run == nil }
      if let entry = entries.first(where: { $0.run === run }) { return entry.misuses }
      let misuses = Misuses()
      entries.append(Entry(run: run, misuses: misuses))
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
