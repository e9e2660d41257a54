import ComposableDependencies
import Synchronization

extension Runner {
  func runGroup(_ step: Step, _ state: inout RunState) async {
    let start = state.child
    let outcomes = Outcomes(step.blocks.count)
    let run = { @Sendable (index: Int) async in
      outcomes.put(await runTask(step.blocks[index], start), at: index)
    }
    if step.variant == 1 {
      await withDiscardingTaskGroup { group in
        inScope(of: step) {
          for index in step.blocks.indices { group.addTask { await run(index) } }
        }
      }
    } else {
      await withTaskGroup { group in
        inScope(of: step) {
          for index in step.blocks.indices { group.addTask { await run(index) } }
        }
      }
    }
    for outcome in outcomes.all { state.join(outcome) }
  }

  func runThrowingGroup(_ step: Step, _ state: inout RunState) async throws(Thrown) {
    let start = state.child
    let outcomes = Outcomes(step.blocks.count)
    let run = { @Sendable (index: Int) async throws in
      let outcome = await runTask(step.blocks[index], start)
      outcomes.put(outcome, at: index)
      if outcome.hasThrown { throw Thrown() }
    }
    defer { for outcome in outcomes.all { state.join(outcome) } }
    do {
      if step.variant == 1 {
        try await withThrowingDiscardingTaskGroup { group in
          inScope(of: step) {
            for index in step.blocks.indices { group.addTask { try await run(index) } }
          }
        }
      } else {
        try await withThrowingTaskGroup { group in
          inScope(of: step) {
            for index in step.blocks.indices { group.addTask { try await run(index) } }
          }
          try await group.waitForAll()
        }
      }
    } catch {
      throw Thrown()
    }
  }

  /// Creates the tasks of a group in a scope that its body enters.
  private func inScope(of step: Step, _ addTasks: () -> Void) {
    if step.changes.isEmpty { return addTasks() }
    withDependencies(
      { for change in step.changes { set(change, &$0, step.variant) } },
      fileID: "Program", line: UInt(step.id), operation: addTasks)
  }
}

/// The ends of a group's children, in the order in which they were added.
private final class Outcomes: Sendable {
  private let outcomes: Mutex<[Outcome?]>

  init(_ count: Int) {
    outcomes = Mutex(Array(repeating: nil, count: count))
  }

  func put(_ outcome: Outcome, at index: Int) {
    outcomes.withLock { $0[index] = outcome }
  }

  var all: [Outcome] { outcomes.withLock { $0.compactMap { $0 } } }
}
