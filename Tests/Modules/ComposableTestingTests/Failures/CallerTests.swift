import ComposableDependencies
import Synchronization
import TestSupport
import Testing

@testable import ComposableTesting
@testable import TestRuntime

/// Reports name the line that calls the library, in builds that have places.
@Suite("Callers in reports", .enabled(if: SourceStack.capture()?.caller != nil))
struct CallerTests {
  private struct Model: Sendable {
    @Dependency(\.mailer) var mailer
    let fetch: @Sendable () -> Int = Dependencies.unimplemented("fetch", placeholder: 1)
    static let readLine = #line + 1
    func read() { _ = mailer }
  }

  private func failures(
    reporting reports: DependencyReports, _ operation: (Model) async -> Void
  ) async -> [String] {
    let model = Model()
    return await TestSupport.failures {
      await withTestDependencies(reporting: reports) { await operation(model) }
    }.map(\.message)
  }

  @Test("a misuse has the line that calls it")
  func misuse() async throws {
    var line = 0
    let failures = await failures(reporting: []) { model in
      line = #line + 1
      _ = model.fetch()
    }
    let failure = try #require(failures.first)
    #expect(failure.hasSuffix("\n  Called at CallerTests.swift:\(line)."), "\(failure)")
  }

  @Test("a default that the test doesn't set has the line that reads it, not its declaration")
  func defaults() async throws {
    let failures = await failures(reporting: .defaults) { _ in
      for _ in 0..<2 { Model().read() }
    }
    #expect(failures.count == 1)
    let failure = try #require(failures.first)
    #expect(failure.hasSuffix("\n  Called at CallerTests.swift:\(Model.readLine)."), "\(failure)")
  }

  @Test("an override that reaches nothing has the line that reads the default")
  func passedOverride() async throws {
    let failures = await failures(reporting: []) { _ in
      let model = Model()
      withDependencies {
        $0.mailer = "other"
      } operation: {
        model.read()
      }
    }
    let failure = try #require(failures.first)
    #expect(failure.hasSuffix("\n  Called at CallerTests.swift:\(Model.readLine)."), "\(failure)")
  }
}
