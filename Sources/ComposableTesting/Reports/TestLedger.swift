internal import ComposableDependencies
internal import ComposableResources
internal import DependencyDebugging
internal import ScheduleExploring
internal import Synchronization
internal import TestRuntime
internal import Testing

/// The defaults that one test reads, reported if its traits ask for it, or if an override is passed.
final class TestLedger: Sendable {
  private struct State {
    /// How many of the test's traits and its running calls of `withTestDependencies` ask for it.
    var count = 0
    var stopListening: (@Sendable () -> Void)?
    /// The keys whose defaults were reported, because a read in a loop fails the test once.
    var reported: Set<ObjectIdentifier> = []
  }

  private let state = Mutex(State())

  /// Reports defaults that are read over a scope's global store, until the same reports are ended.
  func begin(_ reports: DependencyReports, in scope: DependencyScope) {
    guard reports.contains(.defaults) else { return }
    state.withLock { state in
      state.count += 1
      if state.count > 1 { return }
      state.stopListening = scope.listenToReads { [weak self] in self?.handle($0) }
    }
  }

  func end(_ reports: DependencyReports) {
    guard reports.contains(.defaults) else { return }
    let stopListening = state.withLock { state in
      state.count -= 1
      return state.count == 0 ? state.stopListening.take() : nil
    }
    stopListening?()
  }

  /// The keys whose defaults were reported.
  var reported: Set<ObjectIdentifier> {
    get { state.withLock { $0.reported } }
    set { state.withLock { $0.reported = newValue } }
  }

  private func handle(_ read: Read) {
    guard read.isDefault, !(read.key is any SharedKey.Type),
      read.defaults.allSatisfy({ $0 is any SharedKey.Type }),
      state.withLock({ $0.count > 0 && $0.reported.insert(ObjectIdentifier(read.key)).inserted })
    else { return }
    let (name, property) = (PropertyNames.text(of: read.key), PropertyNames.name(of: read.key))
    let maker = read.defaults.first.map { ", to make the shared `\($0)`" } ?? ""
    let (fact, remedy) =
      read.scope.passedOverrides?.leaveOut(read.key) == true
      ? ("although the test overrides it", "create what reads it where it is overridden")
      : (
        "but the test doesn't set it", "set it, as in `.dependencies { $0.\(property ?? "…") = … }`"
      )
    TestFailure.record(
      """
      The default of \(name) was read\(maker), \(fact).
        Instead: \(remedy).
        The value of \(name) is its default: \(read.scope.defaultName(of: read.key)).\
      \(SourceStack.callerLine())
      """, at: TestContext.currentTest?.sourceLocation ?? #_sourceLocation)
  }
}

extension TestLedger: ScheduleParticipant {
  /// Forgets what a schedule reported that isn't shown, so that the one that is shown reports it.
  func join(
    _ scope: DependencyScope, isReported: Bool
  ) -> (scope: DependencyScope, leave: @Sendable () -> Void) {
    if isReported { return (scope, {}) }
    let reported = reported
    return (scope, { self.reported = reported })
  }
}

/// The ledger of the test that a scope was created for.
private enum TestLedgerKey: UnrecordedKey {
  static var defaultValue: TestLedger? { nil }
}

extension Dependencies {
  var testLedger: TestLedger? {
    get { self[TestLedgerKey.self] }
    set { self[TestLedgerKey.self] = newValue }
  }
}
