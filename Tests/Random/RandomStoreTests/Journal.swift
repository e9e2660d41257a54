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

/// An object in a program's states, environments and reducers, which shows when they are freed.
final class Life: Sendable {
  private struct Lives {
    var count = 0
    /// Counts the failures, so that a failure's leftovers aren't counted in the next program.
    var epoch = 0
    var waiting: Signal?
  }

  private static let lives = Mutex(Lives())

  private let end: @Sendable () -> Void
  private let epoch: Int

  init(end: @escaping @Sendable () -> Void = {}) {
    self.end = end
    epoch = Self.lives.withLock { lives in
      lives.count += 1
      return lives.epoch
    }
  }

  deinit {
    end()
    Self.lives.withLock { lives -> Signal? in
      guard epoch == lives.epoch else { return nil }
      lives.count -= 1
      return lives.count == 0 ? lives.waiting : nil
    }?.raise()
  }

  /// Returns the number of objects left, after waiting for it to become zero.
  static func left(after limit: Duration) async -> Int {
    let signal = Signal()
    let isOver = lives.withLock { lives in
      lives.waiting = signal
      return lives.count == 0
    }
    if !isOver { _ = await signal.wait(atMost: limit) }
    return lives.withLock { lives in
      lives.waiting = nil
      return lives.count
    }
  }

  /// Ignores the leftovers of a failed program.
  static func forgetAll() {
    lives.withLock { lives in
      lives.count = 0
      lives.epoch += 1
    }
  }
}

/// Records when the closure of a run is freed.
final class LaneLife: Sendable {
  private let lane: Int
  private let journal: Journal

  init(_ lane: Int, _ journal: Journal) {
    self.lane = lane
    self.journal = journal
  }

  deinit {
    journal.record(.released(lane: lane))
  }
}
