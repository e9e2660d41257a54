import XCTest

private func deliver(_ message: String) async throws {}

extension Dependencies {
  fileprivate var mailer: Mailer {
    get { self[Mailer.self] }
    set { self[Mailer.self] = newValue }
  }
}

/// Run alone: in one process with tests that lose their scope on purpose, it would hear of theirs.
@Suite(
  "The code of Writing tests about lost scopes",
  .enabled(if: ProcessInfo.processInfo.environment["LOST_SCOPES"] != nil))
private enum LostScopes {
  // block: struct UploadTests
}

@Suite("The code of Writing tests")
private struct WritingTests {
  @Test("a test value reports an issue", .isolatedDependencies)
  func testValue() async throws {
    try await withKnownIssue {
      try await DependencyScope.current.mailer.send("swift")
    } matching: { issue in
      issue.comments.contains { $0.rawValue.contains("A test sends mail.") }
    }
    try await withDependencies {
      $0.mailer.send = { _ in }
    } operation: {
      try await DependencyScope.current.mailer.send("swift")
    }
  }
}
