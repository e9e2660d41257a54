import Dispatch
import Testing

@testable import ComposableTesting

/// Keys of its own: other tests, which run at the same time, lose their scopes too.
@Suite("Lost scopes", .serialized, .isolatedDependencies)
struct LostScopesTests {
  @Test("a default that a detached task reads fails the test, with key, reader, place and remedy")
  func detachedTask() async {
    await withKnownIssue {
      await LostScopes.report(in: Test.current!, of: { $0 == LostKey.self }) {
        await Task.detached {
          readHere()
        }.value
      }
    } matching: { issue in
      let text = issue.comments.map(\.rawValue).joined()
      #if os(Linux)
        guard issue.sourceLocation?.fileID.hasSuffix("LostScopesTests.swift") == true else {
          return false
        }
        guard text.contains("read by readHere()") else { return false }
      #endif
      return text.contains("LostKey") && text.contains("Task.detached(in: .current)")
        && text.contains("no scope at all")
    }
  }

  @Test("what a queue reads through a property fails the test")
  func queue() async {
    let reader = await Task.detached { Reader() }.value
    await withKnownIssue {
      await LostScopes.report(in: Test.current!, of: { $0 == LostKey.self }) {
        await withCheckedContinuation { continuation in
          DispatchQueue.global().async {
            for _ in 0..<3 { _ = reader.twice }
            continuation.resume()
          }
        }
      }
    } matching: {
      $0.comments.map(\.rawValue).joined().contains("LostKey")
    }
  }

  @Test("an environment made in no scope fails the test that reads it, at once")
  func capturedInNoScope() async {
    let reader = await Task.detached { Reader() }.value
    await LostScopes.report(in: Test.current!, of: { $0 == LostKey.self }) {
      withKnownIssue {
        _ = reader.twice
      } matching: {
        $0.comments.map(\.rawValue).joined().contains("LostKey")
      }
    }
  }

  @Test("a read that kept its scope is none of them, nor one that overrides")
  func keptScopes() async {
    await LostScopes.report(in: Test.current!, of: { $0 == LostKey.self }) {
      readHere()
      await Task.detached(in: .current) { readHere() }.value
      await Task.detached(in: .root) { readHere() }.value
      await Task { readHere() }.value
      await Task.detached {
        withDependencies {
          $0.lost = 5
        } operation: {
          readHere()
        }
      }.value
    }
    await Task.detached { readHere() }.value  // nobody wants to know any more
  }

  @Test("the trait asks for it", .dependencies(reportingLostScopes: true))
  func trait() {
    #expect(LostScopes.listeningTests.contains(Test.current!))
  }
}

@inline(never)
private func readHere() {
  _ = DependencyScope.current.lost
}

private struct Reader: Sendable {
  @Dependency(\.lost) var lost
  var twice: Int { lost * 2 }
}

private enum LostKey: DependencyKey {
  static let defaultValue = 1
}

extension Dependencies {
  fileprivate var lost: Int {
    get { self[LostKey.self] }
    set { self[LostKey.self] = newValue }
  }
}
