internal import ComposableDependencies
internal import ComposableResources
internal import DependencyDebugging
internal import ScheduleExploring
internal import Synchronization
internal import TestRuntime
internal import Testing

/// What one test reads, reported as its traits ask for it.
final class TestLedger: Sendable {
  /// A read that was reported.
  struct Reported: Hashable, Sendable {
    fileprivate let report: Int
    fileprivate let ids: [ObjectIdentifier]
  }

  private struct State {
    /// What the test's traits and its running calls of `withTestDependencies` ask for.
    var reports: [DependencyReports] = []
    var listener: ReadListener?
    /// What was reported, because a read in a loop fails the test once.
    var reported: Set<Reported> = []
  }

  private let state = Mutex(State())

  /// Reports reads over a scope's global store, until the same reports are ended.
  func begin(_ reports: DependencyReports, in scope: DependencyScope) {
    guard !reports.isDisjoint(with: [.undeclaredReads, .defaults]) else { return }
    let isFirst = state.withLock { state in
      state.reports.append(reports)
      return state.reports.count == 1
    }
    guard isFirst else { return }
    let listener = scope.listenToReads { [weak self] in
      self?.handle($0)
    } undeclared: { [weak self] in
      self?.handle($0)
    }
    state.withLock { $0.listener = listener }
  }

  func end(_ reports: DependencyReports, in scope: DependencyScope) {
    let listener = state.withLock { state -> ReadListener? in
      guard let index = state.reports.firstIndex(of: reports) else { return nil }
      state.reports.remove(at: index)
      return state.reports.isEmpty ? state.listener.take() : nil
    }
    if let listener { scope.end(listener) }
  }

  /// What was reported.
  var reported: Set<Reported> { state.withLock { $0.reported } }

  /// Reports everything again that was reported since.
  func forget(allBut reported: Set<Reported>) {
    state.withLock { $0.reported = reported }
  }

  private func handle(_ read: Read) {
    guard read.isDefault, !(read.key is any SharedKey.Type),
      read.defaults.allSatisfy({ $0 is any SharedKey.Type }),
      isNew([ObjectIdentifier(read.key)], of: .defaults)
    else { return }
    let property = PropertyNames.name(of: read.key)
    let maker = read.defaults.first.map { ", to make the shared `\($0)`" } ?? ""
    fail(
      """
      The default of \(PropertyNames.text(of: read.key)) was read\(maker), but the test doesn't set it.
        Instead: set it, as in `.dependencies { $0.\(property ?? "…") = … }`.
      """, over: read.key)
  }

  private func handle(_ read: UndeclaredRead) {
    guard
      isNew([ObjectIdentifier(read.environment), ObjectIdentifier(read.key)], of: .undeclaredReads)
    else { return }
    let declaration =
      PropertyNames.name(of: read.key).map { "@Dependency(\\.\($0)) var \($0)" }
      ?? "@Dependency(\(read.key).self) var …"
    fail(
      """
      \(read.environment) reads \(PropertyNames.text(of: read.key)), but doesn't declare it.
        Instead: add `\(declaration)` to \(read.environment).
      """, over: read.key)
  }

  private func isNew(_ read: [ObjectIdentifier], of report: DependencyReports) -> Bool {
    state.withLock { state in
      state.reports.contains { $0.contains(report) }
        && state.reported.insert(Reported(report: report.rawValue, ids: read)).inserted
    }
  }

  private func fail(_ message: String, over key: any DependencyKey.Type) {
    TestFailure.record(
      "\(message)\n  \(DependencyScope.current.origin(of: key))",
      at: TestContext.currentTest?.sourceLocation ?? #_sourceLocation)
  }
}

extension TestLedger: ScheduleParticipant {
  /// Forgets what a schedule reported that isn't shown, so that the one that is shown reports it.
  func join(
    _ scope: DependencyScope, isReported: Bool
  ) -> (scope: DependencyScope, leave: @Sendable () -> Void) {
    if isReported { return (scope, {}) }
    let reported = reported
    return (scope, { self.forget(allBut: reported) })
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
