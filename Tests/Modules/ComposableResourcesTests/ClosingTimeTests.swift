import ComposableDependencies
import ComposableResources
import Synchronization
import TestSupport
import Testing

#if DEBUG
  @Suite("Closing that takes too long")
  struct ClosingTimeTests {
    /// Opens a gate when an issue is reported, so that a test need not wait for a time.
    private final class Watch: Sendable {
      @TaskLocal static var current: Watch?
      let isReported = Gate()
      let issues = Mutex<[DependencyIssue]>([])

      /// A structure, because a bare closure leaks memory each time it is taken out of a mutex.
      private struct Previous {
        let handler: DependencyIssue.Handler
      }

      static let install: Void = {
        // First, so that issues of other tests still reach it.
        _ = TestSupport.issues {}
        let previous = Mutex<Previous?>(nil)
        let handler = DependencyIssue.replaceHandler { issue in
          guard let watch = current else {
            previous.withLock { $0 }?.handler(issue)
            return
          }
          watch.issues.withLock { $0.append(issue) }
          watch.isReported.open()
        }
        previous.withLock { $0 = Previous(handler: handler) }
      }()
    }

    /// Returns the issue reported while a lifetime closes; closing continues after the report.
    private func issue(
      _ plan: @Sendable (World, Gate) -> Void
    ) async throws -> DependencyIssue? {
      Watch.install
      let watch = Watch()
      try await Watch.$current.withValue(watch) {
        try await withWorld { world in
          plan(world, watch.isReported)
          try await withDependencies {
            $0.resourceClosingTime = .milliseconds(1)
          } operation: {
            do { try await withResources(A.self, B.self) {} } catch is Failure {}
          }
        }
      }
      return watch.issues.withLock { $0.first }
    }

    @Test("a close that hangs is named")
    func close() async throws {
      let issue = try await issue { world, reported in
        world["A"].close = { await reported.wait() }
      }
      #expect(
        issue?.problem == """
          A lifetime has been closing for longer than 0.001 seconds. It waits for `close` of \
          `Resource<NameA>` to return.
          """)
      #expect(issue?.fileID == #fileID)
    }

    @Test("a run that ignores its cancellation is named")
    func run() async throws {
      let issue = try await issue { world, reported in
        world["A"].run = { await reported.wait() }
      }
      #expect(
        issue?.problem == """
          A lifetime has been closing for longer than 0.001 seconds. It waits for `run` of \
          `Resource<NameA>`, which was cancelled, to return.
          """)
    }

    @Test("an open that ignores its cancellation is named")
    func open() async throws {
      let issue = try await issue { world, reported in
        world["A"].open = { _ in await reported.wait() }
        world["B"].open = { _ in throw Failure() }
      }
      #expect(
        issue?.problem == """
          A lifetime has been closing for longer than 0.001 seconds. It waits for `open` of \
          `Resource<NameA>`, which was cancelled, to return.
          """)
      #expect(
        issue?.remedy == """
          make `open` return soon after a cancellation. If it needs more time, set a longer \
          `resourceClosingTime`.
          """)
    }
  }
#endif
