internal import TestRuntime
package import Testing

/// A failure of a test: its message and location.
package struct Failure: Sendable {
  package let message: String
  package let location: SourceLocation?
  package var isWarning = false
}

/// Runs an operation and hands back the failures that it records, which are expected.
package func failures<E: Error>(
  isolation: isolated (any Actor)? = #isolation, of operation: () async throws(E) -> Void
) async throws(E) -> [Failure] {
  try await collectFailures(of: operation).map { issue in
    Failure(
      message: issue.comments.map(\.rawValue).joined(separator: "\n"),
      location: issue.sourceLocation,
      isWarning: !issue.isError)
  }
}

/// Expects one failure, at a line of the calling file, whose message contains some texts.
package func expectOne(
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

/// Runs an operation and hands back the failures that it records, without warnings.
package func recordedIssues(of operation: () async throws -> Void) async throws -> [Failure] {
  try await failures(of: operation).filter { !$0.isWarning }
}
