import ComposableEnvironment
import Testing

@testable import request_scopes

@Suite("Boundaries")
struct BoundaryTests {
  /// What 14 requests have read, two of which are cancelled.
  private func tally() async -> Tally {
    let tally = Tally()
    await withDependencies {
      $0.clock = ImpatientClock()
    } operation: {
      await Load(tally: tally, concurrency: 4).serve(1...14)
    }
    return tally
  }

  @Test("every request reads as often as it crosses a boundary")
  func reads() async {
    let tally = await tally()
    let expected: [Boundary: Int] = [
      .sameTask: 14, .groupChild: 36, .retriedChild: 24, .unfoldedByConsumer: 48,
      .mappedByConsumer: 36, .cleanup: 2, .onCancel: 2, .onTermination: 2,
    ]
    for boundary in Boundary.allCases {
      #expect(tally[boundary].reads == expected[boundary, default: 12], "\(boundary)")
    }
  }

  @Test("a scope is never another request's, and never missing")
  func library() async {
    let tally = await tally()
    for boundary in Boundary.allCases { #expect(tally[boundary].library == Wrong(), "\(boundary)") }
  }

  @Test("a plain task-local is lost in detached tasks and callbacks")
  func lost() async {
    let tally = await tally()
    for boundary in [Boundary.queueCallback, .detachedTask] {
      #expect(tally[boundary].plain == Wrong(none: 12), "\(boundary)")
    }
  }

  @Test("a plain task-local is another request's in whatever that request runs")
  func another() async {
    let tally = await tally()
    let boundaries: [Boundary] = [
      .unfoldedByConsumer, .mappedByConsumer, .deinitializer, .environmentElsewhere,
    ]
    for boundary in boundaries {
      #expect(tally[boundary].plain == Wrong(other: tally[boundary].reads), "\(boundary)")
    }
  }

  @Test("a plain task-local is kept in all other places")
  func kept() async {
    let tally = await tally()
    let boundaries: [Boundary] = [
      .sameTask, .asyncLet, .groupChild, .unstructuredTask, .actorHop, .retriedChild,
      .streamProducer, .afterContinuation, .cleanup,
    ]
    for boundary in boundaries { #expect(tally[boundary].plain == Wrong(), "\(boundary)") }
  }
}
