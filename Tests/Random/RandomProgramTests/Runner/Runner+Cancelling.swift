import ComposableDependencies
import Synchronization
import TestSupport

extension Runner {
  /// Cancels a task from here, after it has run a block and sleeps, deep in its scopes.
  func runAndCancel(_ step: Step, _ state: inout RunState) async {
    let gate = Gate()
    let start = state.child
    let task = Task {
      var state = start
      do {
        try await withDependencies(
          { for change in step.changes { set(change, &$0, step.variant) } },
          fileID: "Program", line: UInt(step.id)
        ) {
          try await runAsync(step.blocks[0], &state)
          state.observations += await sleepUntilCancelled(step, gate, state.path)
          try Task.checkCancellation()
        }
      } catch {
        // If the block threw, the cancelling code waits for this.
        gate.open()
        await gate.wait()
      }
      let end = await runTask(step.blocks[1], state)
      return Outcome(state: end.state, hasThrown: false)
    }
    await gate.waitForArrivals()
    task.cancel()
    state.join(await task.value)
  }

  /// Returns the reads of the cancellation handler: from the scope in which it was called, and from
  /// the scope here.
  private func sleepUntilCancelled(
    _ step: Step, _ gate: Gate, _ path: UInt64
  ) async -> [(id: ReadID, value: Int)] {
    let handled = Handled(RunState(path: path))
    let here = DependencyScope.current
    await withTaskCancellationHandler {
      await gate.wait()
    } onCancel: {
      handled.state.withLock { state in
        for (index, key) in step.keys.enumerated() {
          state.observe(DependencyScope.current[Key.all[key]], step, index)
          state.observe(here[Key.all[key]], step, 100 + index)
        }
      }
      gate.open()
    }
    return handled.state.withLock { $0.observations }
  }
}

/// The reads of a cancellation handler.
private final class Handled: Sendable {
  let state: Mutex<RunState>

  init(_ state: RunState) { self.state = Mutex(state) }
}
