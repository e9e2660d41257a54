import ComposableEnvironment
import Testing

@testable import request_scopes
import StandardDependencies

@Suite("Boundaries")
struct BoundaryTests {
  /// The reads of 14 requests, two of which are cancelled.
  private func tally() async throws -> Tally {
    let tally = Tally()
    try await withDependencies {
      $0.continuousClock = ImpatientClock()
    } operation: {
      try await Load(tally: tally, concurrency: 4).serve(1...14)
    }
    return tally
  }

  @Test("every request reads at every boundary it crosses")
  func reads() async throws {
    let tally = try await tally()
    let expected: [Boundary: Int] = [
      .sameTask: 14, .groupChild: 36, .retriedChild: 24, .unfoldedByConsumer: 48,
      .mappedByConsumer: 36, .cleanup: 2, .onCancel: 2, .onTermination: 2,
    ]
    for boundary in Boundary.allCases {
      #expect(tally[boundary].reads == expected[boundary, default: 12], "\(boundary)")
    }
  }

  @Test("a scope is never another request's and never missing")
  func library() async throws {
    let tally = try await tally()
    for boundary in Boundary.allCases { #expect(tally[boundary].library == Wrong(), "\(boundary)") }
  }

  @Test("a plain task-local is lost in detached tasks, callbacks and responses")
  func lost() async throws {
    let tally = try await tally()
    for boundary in [Boundary.queueCallback, .detachedTask, .responseBody] {
      #expect(tally[boundary].plain == Wrong(none: 12), "\(boundary)")
    }
  }

  @Test("a plain task-local is another request's in code that the other request runs")
  func another() async throws {
    let tally = try await tally()
    let boundaries: [Boundary] = [
      .unfoldedByConsumer, .mappedByConsumer, .deinitializer, .environmentElsewhere,
    ]
    for boundary in boundaries {
      #expect(tally[boundary].plain == Wrong(other: tally[boundary].reads), "\(boundary)")
    }
  }

  @Test("a plain task-local is right everywhere else")
  func kept() async throws {
    let tally = try await tally()
    let boundaries: [Boundary] = [
      .sameTask, .asyncLet, .groupChild, .unstructuredTask, .actorHop, .retriedChild,
      .streamProducer, .afterContinuation, .cleanup,
    ]
    for boundary in boundaries { #expect(tally[boundary].plain == Wrong(), "\(boundary)") }
  }
}
