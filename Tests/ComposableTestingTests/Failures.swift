import Synchronization
import Testing

/// A failure of a test: what it says, and where.
struct Failure: Sendable {
  let message: String
  let location: SourceLocation?
}

/// Runs an operation and hands back the failures that it records, which are expected.
func failures(
  isolation: isolated (any Actor)? = #isolation, of operation: () async throws -> Void
) async rethrows -> [Failure] {
  let failures = Mutex<[Failure]>([])
  try await withKnownIssue(isIntermittent: true) {
    try await operation()
  } matching: { issue in
    let failure = Failure(
      message: issue.comments.map(\.rawValue).joined(separator: "\n"),
      location: issue.sourceLocation)
    failures.withLock { $0.append(failure) }
    return true
  }
  return failures.withLock { $0 }
}

/// Expects one failure, at a line of the calling file, whose message contains some texts.
func expectOne(
  _ failures: [Failure], atLine line: Int, containing texts: String...,
  sourceLocation: SourceLocation = #_sourceLocation
) {
  #expect(failures.count == 1, "\(failures)", sourceLocation: sourceLocation)
  guard let failure = failures.first else { return }
  #expect(failure.location?.line == line, sourceLocation: sourceLocation)
  #expect(failure.location?.fileID == sourceLocation.fileID, sourceLocation: sourceLocation)
  for text in texts {
    #expect(failure.message.contains(text), "\(failure.message)", sourceLocation: sourceLocation)
  }
}
