import ComposableTesting
import Testing

/// What Tasks, queues and callbacks says about operations in methods that aren't isolated to an actor.
///
/// This module's nonisolated asynchronous methods run on their caller's actor.
@Suite("Operations in nonisolated methods, called on the main actor")
struct CallersActorTests {
  private let draft = Draft()

  @Test("an operation stays if its method belongs to the main actor")
  func mainActor() async {
    #expect(await draft.isOnMainActor() == [true, true, true])
  }

  @Test("an operation stays if it uses its method's isolation")
  func isolation() async {
    #expect(await draft.isOnCallersActor() == [true, true, true])
  }

  @Test("any other operation leaves, as one passed to a task-local does")
  func leaves() async {
    #expect(await draft.isOnNoActor() == [false, false, false, false])
  }
}

nonisolated private enum Bare {
  @TaskLocal static var number = 0
}

/// Whether the code that calls this runs on an actor.
private func isIsolated(isolation: isolated (any Actor)? = #isolation) -> Bool {
  isolation != nil
}

nonisolated private final class Draft {
  private var count = 0

  @MainActor
  func isOnMainActor() async -> [Bool] {
    [
      await withDependencies { _ in
      } operation: { () async in
        isIsolated()
      },
      await DependencyScope.root.run { () async in isIsolated() },
      await withTestDependencies { _ in
      } operation: { () async in
        isIsolated()
      },
    ]
  }

  func isOnCallersActor(isolation: isolated (any Actor)? = #isolation) async -> [Bool] {
    [
      await withDependencies { _ in
      } operation: { () async in
        _ = isolation
        return isIsolated()
      },
      await DependencyScope.root.run { () async in
        _ = isolation
        return isIsolated()
      },
      await withTestDependencies { _ in
      } operation: { () async in
        _ = isolation
        return isIsolated()
      },
    ]
  }

  func isOnNoActor() async -> [Bool] {
    [
      await Bare.$number.withValue(1) { () async in isIsolated() },
      await withDependencies { _ in
      } operation: { () async in
        isIsolated()
      },
      await DependencyScope.root.run { () async in isIsolated() },
      await withTestDependencies { _ in
      } operation: { () async in
        isIsolated()
      },
    ]
  }
}
