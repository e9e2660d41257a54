internal import Synchronization
internal import TestRuntime
internal import Testing

/// The issues of the running schedule, and the failures of this library that belong to no test of Swift Testing.
///
/// Not a part of the runner: Swift Testing hands this to every task of the test. Some of these tasks
/// outlive the test's function, which the runner retains.
final class ScheduleIssues: Sendable {
  private struct State {
    /// The newest schedule.
    var order: JobOrder?
    var isReported = false
    /// Whether the schedule is running, and wasn't stopped.
    var isListening = false
    var failures: [RunFailure] = []
  }

  private let state = Mutex(State())
  private let place: SourceLocation
  /// The places of all tests that are being explored.
  private static let places = Mutex<[SourceLocation]>([])

  init(of place: SourceLocation) {
    self.place = place
    Self.places.withLock { $0.append(place) }
  }

  deinit {
    Self.places.withLock { places in
      if let index = places.firstIndex(of: place) { places.remove(at: index) }
    }
  }

  /// Begins to collect the issues of a schedule.
  ///
  /// - Parameter isReported: Whether issues are reported as usual.
  func begin(_ order: JobOrder, isReported: Bool) {
    // Free the old one before this listens: it may have an error whose `deinit` records an issue.
    do {
      let old = state.withLock { state in
        defer { state = State() }
        return state
      }
      // Otherwise, a release build frees it under the lock.
      withExtendedLifetime(old) {}
    }
    state.withLock { $0 = State(order: order, isReported: isReported, isListening: true) }
  }

  /// Returns the issues of the running schedule, and ignores later ones.
  func take() -> [RunFailure] {
    state.withLock { state in
      state.isListening = false
      return state.failures
    }
  }

  /// Whether a schedule is running that wasn't stopped.
  ///
  /// Issues of a stopped one don't matter.
  var isListening: Bool { state.withLock { $0.isListening } }

  /// Takes a failure of this library, unless a test of Swift Testing has it.
  ///
  /// - Returns: Whether it isn't to be reported.
  func collect(_ message: String, at place: String) -> Bool {
    guard Test.current == nil else { return false }
    let order = JobOrder.explored
    return state.withLock { state in
      guard state.order === order else { return true }
      if state.isListening { state.failures.append(RunFailure(kind: message, place: place)) }
      return !state.isReported
    }
  }

  /// Records an issue for the running schedule.
  func note(_ issue: Issue) {
    let order = JobOrder.explored
    add(issue, isStray: false) { order == nil || order === $0 }
  }

  /// Records an issue that no test has: of a detached task, or of a queue or thread.
  ///
  /// Swift Testing hands such an issue to every running test. It belongs to the schedule whose job
  /// this thread runs. If there is none, it belongs to the explored test above its line.
  func noteStray(_ issue: Issue) {
    guard issue.isUnexpected else { return }
    let running = RunningExecutors.shared.current?.order
    let isHere = running == nil && issue.sourceLocation.map(Self.test(above:)) == .some(place)
    add(issue, isStray: true) { isHere || running === $0 }
  }

  private static func test(above line: SourceLocation) -> SourceLocation? {
    places.withLock { $0 }.filter { $0.fileID == line.fileID && $0.line <= line.line }
      .max { $0.line < $1.line }
  }

  private func add(_ issue: Issue, isStray: Bool, if belongs: (JobOrder) -> Bool) {
    guard issue.isError else { return }
    state.withLock { state in
      guard state.isListening, let order = state.order, belongs(order) else { return }
      state.failures.append(RunFailure(issue, isStray: isStray))
    }
  }
}
