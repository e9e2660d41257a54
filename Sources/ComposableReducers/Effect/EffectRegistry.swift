internal import Synchronization

/// The effects of one store that are under way, by their identifiers.
final class EffectRegistry: Sendable {
  /// What becomes of an effect that is throttled.
  enum Throttled {
    case runsNow
    case waits(Throttling.Interval)
    case isDropped
  }

  private struct Throttle {
    let interval: Throttling.Interval
    /// What is to run at the end of the interval, unless it is cancelled.
    var next: EffectTask?
  }

  private struct State {
    var running: [ObjectIdentifier: EffectTask] = [:]
    var identified: [EffectID: [ObjectIdentifier: EffectTask]] = [:]
    var throttles: [EffectID: Throttle] = [:]
  }

  private let state = Mutex(State())

  /// Whether nothing is under way.
  var isEmpty: Bool { state.withLock { $0.running.isEmpty && $0.identified.isEmpty } }

  func add(_ task: EffectTask, _ ids: [EffectID]) {
    state.withLock { state in
      state.running[ObjectIdentifier(task)] = task
      for id in ids { state.identified[id, default: [:]][ObjectIdentifier(task)] = task }
    }
  }

  func remove(_ task: EffectTask, _ ids: [EffectID]) {
    state.withLock { state in
      state.running[ObjectIdentifier(task)] = nil
      for id in ids {
        state.identified[id]?[ObjectIdentifier(task)] = nil
        if state.identified[id]?.isEmpty == true { state.identified[id] = nil }
      }
    }
  }

  func cancel(_ id: EffectID) {
    let tasks = state.withLock { $0.identified[id].map { Array($0.values) } ?? [] }
    cancel(tasks)
  }

  func cancelAll() {
    cancel(state.withLock { Array($0.running.values) })
  }

  /// One of the tasks may run a part of another, which must not go on when that part has ended.
  private func cancel(_ tasks: [EffectTask]) {
    for task in tasks { task.markAsCancelled() }
    for task in tasks { task.cancel() }
  }
}

extension EffectRegistry {
  /// Decides on an effect that comes under a throttle; `task` is the one that would wait.
  func throttle(_ task: EffectTask, _ id: EffectID, _ throttling: Throttling) -> Throttled {
    let newInterval = throttling.openInterval()
    let (throttled, replaced): (Throttled, EffectTask?) = state.withLock { state in
      guard let throttle = state.throttles[id], !throttle.interval.isOver() else {
        state.throttles[id] = Throttle(interval: newInterval)
        return (.runsNow, nil)
      }
      let next = throttle.next.flatMap { $0.isCancelled ? nil : $0 }
      if next != nil, !throttling.latest { return (.isDropped, nil) }
      state.throttles[id]?.next = task
      return (.waits(throttle.interval), next)
    }
    replaced?.cancel()
    return throttled
  }

  /// Opens the next interval, with the effect that waited for it.
  func openInterval(_ task: EffectTask, _ id: EffectID, _ throttling: Throttling) {
    let newInterval = throttling.openInterval()
    state.withLock { state in
      guard state.throttles[id]?.next === task else { return }
      state.throttles[id] = Throttle(interval: newInterval)
    }
  }
}
