import ComposableDependencies
import Synchronization
import TestSupport
import Testing

@testable import ComposableResources

@Suite("Closing that takes too long", .serialized)
struct ClosingTimeTests {
  /// Opens a gate when an issue is reported, so that a test need not wait for a time.
  private final class Watch: Sendable {
    /// The test that runs: a timer, which reports, has no task.
    static let current = Mutex<Watch?>(nil)
    /// A part of the issue that is expected: a slow machine may report others before.
    let expected: String
    let isReported = Gate()
    let issues = Mutex<[DependencyIssue]>([])

    init(expected: String) { self.expected = expected }

    /// A structure, because a bare closure leaks memory each time it is taken out of a mutex.
    private struct Previous {
      let handler: DependencyIssue.Handler
    }

    static let install: Void = {
      // First, so that issues of other tests still reach it.
      _ = TestSupport.issues {}
      let previous = Mutex<Previous?>(nil)
      let handler = DependencyIssue.replaceHandler { issue in
        guard issue.fileID == #fileID, let watch = current.withLock({ $0 }) else {
          previous.withLock { $0 }?.handler(issue)
          return
        }
        if !issue.problem.contains(watch.expected) { return }
        watch.issues.withLock { $0.append(issue) }
        watch.isReported.open()
      }
      previous.withLock { $0 = Previous(handler: handler) }
    }()
  }

  /// Returns the issue reported while a lifetime closes; closing continues after the report.
  private func issue(
    containing expected: String, _ plan: @Sendable (World, Gate) -> Void
  ) async throws -> DependencyIssue? {
    Watch.install
    let watch = Watch(expected: expected)
    Watch.current.withLock { $0 = watch }
    try await withWorld { world in
      plan(world, watch.isReported)
      try await withDependencies {
        $0.resourceClosingTime = .milliseconds(1)
      } operation: {
        do { try await withResources(A.self, B.self) {} } catch is Failure {}
      }
    }
    return watch.issues.withLock { $0.first }
  }

  @Test(
    "a function that doesn't return is named, with what it should do",
    arguments: ["close", "run", "open"])
  func named(function: String) async throws {
    let issue = try #require(
      try await issue(containing: "`\(function)` of `Resource<NameA>`") { world, reported in
        switch function {
        case "close": world["A"].close = { await reported.wait() }
        case "run": world["A"].run = { await reported.wait() }
        default:
          let isOpening = Gate()
          world["A"].open = { _ in
            isOpening.open()
            await reported.wait()
          }
          // Earlier, it would cancel A before that begins to open.
          world["B"].open = { _ in
            await isOpening.wait()
            throw Failure()
          }
        }
      })
    let wasCancelled = function == "close" ? "" : ", which was cancelled,"
    #expect(
      issue.problem == """
        A lifetime has been closing for longer than 0.001 seconds. It waits for `\(function)` of \
        `Resource<NameA>`\(wasCancelled) to return.
        """)
    #expect(
      issue.remedy == """
        make `\(function)` return soon\(function == "close" ? "" : " after a cancellation"). If it \
        needs more time, set a longer `resourceClosingTime`.
        """)
    #expect(issue.fileID == #fileID)
  }

  @Test("rule 27: lifetimes that keep a resource open are named, with what they should do")
  func kept() async throws {
    let issue = try #require(
      try await issue(containing: "It keeps") { world, reported in
        world["C"].open = { _ = try await $0(A.self) }
        world["B"].open = { _ in
          let scope = DependencyScope.current
          let isOpen = Gate()
          Task {
            try await scope.run {
              try await withResources(C.self) {
                isOpen.open()
                await reported.wait()
              }
            }
          }
          await isOpen.wait()
          throw Failure()
        }
      })
    #expect(
      issue.problem == """
        A lifetime has been closing for longer than 0.001 seconds. It keeps `Resource<NameA>` open \
        for what other lifetimes have opened from it.
        """)
  }

  @Test("a lifetime is reported in its own time, whichever others begin to close before and after")
  func others() async throws {
    let others = (0..<2).map { _ in Lifetime(fileID: #fileID, line: #line) }
    ClosingWatch.begin(others[0], limit: .seconds(3_600))
    let issue = try await issue(containing: "`close` of `Resource<NameA>`") { world, reported in
      world["A"].close = {
        ClosingWatch.begin(others[1], limit: .seconds(3_600))
        await reported.wait()
      }
    }
    #expect(issue != nil)
    for other in others { ClosingWatch.end(other) }
  }
}
