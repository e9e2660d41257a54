@testable import DependencyDebugging
import ComposableDependencies
import Synchronization
import TestSupport
import Testing

@Suite("Reported lost reads")
struct LostReadReportTests {
  #if DEBUG
    @Test("one call at start-up reports defaults that are read outside any scope")
    func lostReads() async {
      await #expect(processExitsWith: .success) {
        let issues = Mutex<[DependencyIssue]>([])
        DependencyIssue.replaceHandler { issue in issues.withLock { $0.append(issue) } }
        Dependencies.reportLostReads()
        Dependencies.reportLostReads()
        await DependencyScope.root.run {
          _ = DependencyScope.current.a
          await Task { _ = DependencyScope.current.a }.value
          await Task.detached(in: .current) { _ = DependencyScope.current.a }.value
        }
        await Task.detached {
          withDependencies({ $0.b = 1 }, operation: { _ = DependencyScope.current.a })
          // Swift reads it before it sets it.
          _ = DependencyScope.current.with(\.a, 2)
        }.value
        precondition(issues.withLock { $0.isEmpty })
        await Task.detached { _ = DependencyScope.current.a }.value
        precondition(issues.withLock { $0.count } == 1)
        precondition(issues.withLock { $0[0].problem }.contains("AKey"))
      }
    }

    @Test("a default is reported if the program overrides it by another of its aliased keys")
    func aliasedLostReads() async {
      await #expect(processExitsWith: .success) {
        let issues = Shared<[DependencyIssue]>([])
        DependencyIssue.replaceHandler { issue in issues.update { $0.append(issue) } }
        Dependencies.reportLostReads()
        Dependencies.alias(\.c, to: \.a)
        await withDependencies {
          $0.c = 5
        } operation: {
          await Task.detached { middleware { _ = DependencyScope.current.c } }.value
        }
        precondition(issues.value.count == 1)
      }
    }

    @Test(
      "a default is reported in a scope that was built outside any scope, if the program overrides it"
    )
    func lostReadsInScopes() async {
      await #expect(processExitsWith: .success) {
        let issues = Shared<[DependencyIssue]>([])
        DependencyIssue.replaceHandler { issue in issues.update { $0.append(issue) } }
        Dependencies.reportLostReads()
        await withDependencies {
          $0.a = 5
        } operation: {
          await Task.detached {
            middleware {
              _ = DependencyScope.current.c
              precondition(issues.value.isEmpty)
              _ = DependencyScope.current.a
            }
          }.value
        }
        precondition(issues.value.count == 1)
        precondition(issues.value[0].problem.contains("AKey"))
        withDependencies {
          $0.b = 1
        } operation: {
          let program = DependencyScope.current
          withDependencies {
            $0.a = 2
          } operation: {
            // A job of the program doesn't see what a request overrides.
            program.run { _ = DependencyScope.current.a }
          }
          _ = DependencyScope.current.a
        }
        precondition(issues.value.count == 1)
      }
    }
  #endif

  @Test("an unimplemented closure reports an issue with its place")
  func unimplemented() {
    let line: UInt = #line + 1
    let fetch: @Sendable (Int) -> [Int] = Dependencies.unimplemented(
      "fetchingClient.fetch", placeholder: [1])
    let scope = DependencyScope.isolated(usingTestValues: true, recordingPlaces: true)
      .with { $0[FetchingClientKey.self] = FetchingClient(fetch: fetch) }
    let issues = issues { #expect(scope.run { scope[FetchingClientKey.self].fetch(5) } == [1]) }
    #expect(issues.count == 1 && issues[0].line == line)
    #expect(issues[0].problem.contains("`fetchingClient.fetch`"))
    #expect(!issues[0].problem.contains("set at"), "nothing is known of the scope it is from")
    #expect(issues[0].remedy.contains("`.dependencies { $0.fetchingClient.fetch = … }`"))
    let asynchronous: @Sendable (Int, String) async throws -> Void = Dependencies.unimplemented("x")
    _ = asynchronous
  }

  @Test("an unimplemented closure that throws needs no placeholder, and throws its issue")
  func unimplementedThrowing() async {
    let fetch: @Sendable (Int) async throws -> [Int] = Dependencies.unimplemented("client.fetch")
    let load: @Sendable () throws -> Int = Dependencies.unimplemented("client.load")
    let issues = await issues {
      await #expect(throws: DependencyIssue.self) { try await fetch(5) }
      #expect(throws: DependencyIssue.self) { try load() }
    }
    #expect(issues.map(\.problem).count == 2)
    #expect(issues.first?.problem.contains("`client.fetch`") == true)
  }

  @Test("an unimplemented closure says to override it in a test, or else to set it at start-up")
  func unimplementedDefault() async {
    let fetch: @Sendable () -> Int = Dependencies.unimplemented("fetch", placeholder: 1)
    let inTest = issues { #expect(DependencyScope.isolated().run { fetch() } == 1) }
    let outside = await Task.detached {
      let program = DependencyScope.isolated(usingTestValues: false)
      return issues { #expect(program.run { fetch() } == 1) }
    }.value
    #expect(
      (inTest + outside).map(\.remedy) == [
        "override it for this test, before you create what calls it, as in `.dependencies { $0.fetch = … }`.",
        "set it at start-up, as in `Dependencies.setGlobally { $0.fetch = … }`, or override it.",
      ])
  }

  @Test("an issue's place is the place that creates it, unless it is given")
  func place() {
    let issue = DependencyIssue(problem: "p", remedy: "r"); let line: UInt = #line
    #expect(issue.line == line && issue.fileID?.hasSuffix("LostReadReportTests.swift") == true)
  }
}

/// A middleware on a framework's thread; a function, because a macro's code has one place.
private func middleware(_ next: () -> Void) {
  withDependencies({ $0.b = 1 }, operation: next)
}

private struct FetchingClient: Sendable {
  var fetch: @Sendable (Int) -> [Int]
}

private enum FetchingClientKey: DependencyKey {
  static var defaultValue: FetchingClient { FetchingClient { _ in [] } }
}
