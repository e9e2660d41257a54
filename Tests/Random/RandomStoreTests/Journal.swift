import Synchronization
import TestSupport

/// All events of a running program, in order, by step.
final class Journal: Sendable {
  private struct State {
    var step = 0
    var events: [[Event]] = [[]]
    /// The number of events still expected in this step.
    var missing = 0
    var waiting: Signal?
    var reduced: Set<Int> = []
    var runsUnderWay: [Int: Int] = [:]
  }

  private let state = Mutex(State())

  func record(_ event: Event) {
    state.withLock { state -> Signal? in
      state.events[state.step].append(event)
      if case .reduced(_, let action, isEcho: false, _, _, _) = event {
        state.reduced.insert(action)
      }
      state.missing -= 1
      return state.missing == 0 ? state.waiting : nil
    }?.raise()
  }

  func isReduced(_ action: Int) -> Bool {
    state.withLock { $0.reduced.contains(action) }
  }

  /// Begins a step that expects a number of events.
  func begin(_ step: PredictedStep) {
    state.withLock { state in
      state.step += 1
      state.events.append([])
      state.missing = step.events.count
      state.waiting = nil
    }
  }

  /// Returns the events of this step, when all expected ones have occurred or nothing more happens.
  func events(after limit: Duration) async -> [Event] {
    let signal = Signal()
    let isComplete = state.withLock { state in
      state.waiting = signal
      return state.missing <= 0
    }
    if !isComplete { _ = await signal.wait(atMost: limit) }
    return state.withLock { $0.events[$0.step] }
  }

  /// All events, by step; the first are those before the first step.
  var all: [[Event]] { state.withLock { $0.events } }
}

extension Journal {
  /// Counts the running effects of the program's actions.
  func runStarts() {
    state.withLock { $0.runsUnderWay[Cause.task ?? -1, default: 0] += 1 }
  }

  func runEnds() {
    state.withLock { $0.runsUnderWay[Cause.task ?? -1, default: 0] -= 1 }
  }

  func runsUnderWay(of task: Int) -> Int {
    state.withLock { $0.runsUnderWay[task, default: 0] }
  }
}

/// Suspends runs before each step, each at its own gate.
final class Gates: Sendable {
  private struct Gate {
    var waiting: CheckedContinuation<Bool, Never>?
    var isOpen = false
    var isCancelled = false
  }

  private struct State {
    var gates: [Int: Gate] = [:]
    var areAllOpen = false
  }

  private let state = Mutex(State())

  /// Waits until the gate is opened once more.
  func wait(at lane: Int) async {
    _ = await pass(lane)
  }

  /// Waits until the gate is opened once more; throws if the task is cancelled.
  func waitUnlessCancelled(at lane: Int) async throws {
    let isOpen = await withTaskCancellationHandler {
      await pass(lane)
    } onCancel: {
      state.withLock { state in
        state.gates[lane, default: Gate()].isCancelled = true
        return state.gates[lane]?.waiting.take()
      }?.resume(returning: false)
    }
    if !isOpen { throw CancellationError() }
  }

  func open(_ lane: Int) {
    state.withLock { state in
      let waiting = state.gates[lane, default: Gate()].waiting.take()
      if waiting == nil { state.gates[lane]?.isOpen = true }
      return waiting
    }?.resume(returning: true)
  }

  /// Opens all gates, now and later.
  func openAll() {
    let waiting = state.withLock { state in
      state.areAllOpen = true
      return state.gates.keys.compactMap { state.gates[$0]?.waiting.take() }
    }
    for continuation in waiting { continuation.resume(returning: true) }
  }

  private func pass(_ lane: Int) async -> Bool {
    await withCheckedContinuation { continuation in
      let answer: Bool? = state.withLock { state in
        var gate = state.gates[lane, default: Gate()]
        defer { state.gates[lane] = gate }
        if gate.isCancelled { return false }
        if gate.isOpen || state.areAllOpen {
          gate.isOpen = false
          return true
        }
        gate.waiting = continuation
        return nil
      }
      if let answer { continuation.resume(returning: answer) }
    }
  }
}

extension Tracked {
  /// An object of a program's states, environments and reducers.
  static func part(atEnd: @escaping @Sendable () -> Void = {}) -> Tracked {
    Tracked(AliveCounter.parts.value, atEnd: atEnd)
  }
}

extension AliveCounter {
  /// Counts the parts of programs that are alive; a program that has failed may leave some.
  static let parts = Shared(AliveCounter())
}
