@_exported public import ComposableReducers
@_exported public import ComposableResources
@_exported public import DependencyDebugging
@_exported public import ScheduleExploring
@_exported public import StandardDependencies
@_exported public import TestClocks
internal import TestRuntime
public import Testing

/// A trait that runs a test in an isolated scope.
///
/// Create it with ``Testing/Trait/dependencies(reporting:fileID:line:_:)`` or
/// ``Testing/Trait/isolatedDependencies``.
public struct DependenciesTrait: TestTrait, SuiteTrait, TestScoping {
  let reports: DependencyReports
  let place: SourcePlace
  let update: @Sendable (inout Dependencies) -> Void
  private let identity = TraitIdentity()

  init(
    _ reports: DependencyReports, fileID: StaticString, line: UInt,
    _ update: @escaping @Sendable (inout Dependencies) -> Void
  ) {
    self.reports = reports
    place = .init(fileID: fileID, line: line)
    self.update = update
  }

  /// Always true, because a suite's trait applies to all of its tests.
  public var isRecursive: Bool { true }

  /// Returns this trait: it runs around a suite, a test and each case of the test.
  public func scopeProvider(for test: Test, testCase: Test.Case?) -> DependenciesTrait? { self }

  /// Runs one case of a test in this trait's scope.
  ///
  /// Around a suite or a whole test, it only finds out whether its overrides are read.
  public func provideScope(
    for test: Test,
    testCase: Test.Case?,
    performing function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    guard testCase != nil else {
      let isWanted = test.traits.contains {
        ($0 as? DependenciesTrait)?.reports.contains(.unusedOverrides) ?? false
      }
      return try await judging(test, isWanted: isWanted) { try await function() }
    }
    // The exploring trait creates a scope for each schedule.
    if ExploringTrait.explores(test) {
      let lostReads = reports.contains(.lostReads) ? LostReads.begin() : nil
      defer { if let lostReads { LostReads.end(lostReads) } }
      return try await function()
    }
    let isOutermost = TestContext.current == nil
    try await TestScope.run(update, at: place, reporting: reports, use) {
      if isOutermost {
        try await FailingOrder.attach(to: test, testCase, performing: function)
      } else {
        try await function()
      }
    }
  }

  /// What is known about the use of this trait's overrides, if the trait is judged.
  var use: OverrideUse? { TraitIdentity.judged[ObjectIdentifier(identity)] }

  /// Runs a suite or a test, and then reports the overrides of this trait that nothing read.
  func judging(
    _ test: Test, isWanted: Bool, _ function: () async throws -> Void
  ) async throws {
    // The trait of a suite is judged once, for all of its tests.
    if use != nil { return try await function() }
    let use = OverrideUse()
    var judged = TraitIdentity.judged
    judged[ObjectIdentifier(identity)] = use
    try await TraitIdentity.$judged.withValue(judged) { try await function() }
    if !isWanted { return }
    let isSuite = test.isSuite
    use.report(
      of: isSuite ? "The trait of “\(test.displayName ?? test.name)”" : "The test's trait",
      readers: isSuite ? "none of its tests" : "nothing", at: test.sourceLocation)
  }
}

extension DependenciesTrait: ScheduleParticipant {
  package func join(
    _ scope: DependencyScope, isReported: Bool
  ) -> (scope: DependencyScope, leave: @Sendable () -> Void) {
    // The traits of a test share one ledger.
    let ledger = scope.testLedger ?? TestLedger()
    let base = scope.with { $0.testLedger = ledger }
    let (extended, recorded) = TestScope.extend(base, at: place, update)
    ledger.begin(reports, in: extended)
    return (
      extended,
      {
        ledger.end(reports)
        use?.add(recorded)
      }
    )
  }
}

/// Identifies a trait, and its copies in the tests of a suite.
private final class TraitIdentity: Sendable {
  /// What is known about the traits around the running test, by their identity.
  @TaskLocal static var judged: [ObjectIdentifier: OverrideUse] = [:]
}

extension Trait where Self == DependenciesTrait {
  /// Runs a test in an isolated scope, with some dependencies overridden.
  ///
  /// ```swift
  /// @Suite(.dependencies { $0.retryLimit = 1 })
  /// struct SearchTests {
  ///   @Test(.dependencies { $0.apiClient.search = { [$0] } })
  ///   func findsWhatIsAskedFor() async { … }
  /// }
  /// ```
  ///
  /// The scope has its own global store. Unset keys read
  /// `DependencyKey.testValue` instead of their default value. So tests
  /// that set values or aliases globally run in parallel with each other, and with themselves. Each
  /// case of a parameterized test has its own scope, for which `update` is called. The suite's
  /// value is created in that scope, too, so it can have a `@Dependency`.
  ///
  /// The traits of nested suites and of the test **add up** to one scope. The `update` of an inner
  /// trait runs later, sees what the outer ones set, and wins.
  ///
  /// A test's scope records where values are set. So a failure says where a value came from, and so
  /// does `DependencyScope.explain()`. The reports of all traits of a test add up, too.
  ///
  /// - Parameters:
  ///   - reports: What the test reports about the dependencies that it uses.
  ///   - fileID: The file that failures name as the place of the overrides.
  ///   - line: The line that failures name as the place of the overrides. Swift gives each trait the
  ///     line of its test or suite.
  ///   - update: Overrides dependencies for the test. Reads inside this closure see the overrides
  ///     made so far.
  public static func dependencies(
    reporting reports: DependencyReports = [],
    fileID: StaticString = #fileID, line: UInt = #line,
    _ update: @escaping @Sendable (inout Dependencies) -> Void
  ) -> Self {
    Self(reports, fileID: fileID, line: line, update)
  }

  /// Runs a test in an isolated scope, without overrides, and reports what it uses.
  ///
  /// Like ``dependencies(reporting:fileID:line:_:)`` without the closure.
  public static func dependencies(
    reporting reports: DependencyReports, fileID: StaticString = #fileID, line: UInt = #line
  ) -> Self {
    Self(reports, fileID: fileID, line: line) { _ in }
  }

  /// Runs a test in an isolated scope, without overrides.
  ///
  /// Use it instead of ``dependencies(reporting:fileID:line:_:)`` for a test or a suite that only
  /// needs its own global store, or test values.
  public static var isolatedDependencies: Self {
    Self([], fileID: #fileID, line: #line) { _ in }
  }

  /// Runs a test in an isolated scope in which unset keys read `DependencyKey.defaultValue`.
  ///
  /// Use it for a test of what the program reads by default. In XCTest, call
  /// `Dependencies.useDefaultValues()` in ``withTestDependencies(reporting:_:fileID:line:operation:)``.
  public static var usingDefaultValues: Self {
    Self([], fileID: #fileID, line: #line) { _ in Dependencies.useDefaultValues() }
  }

  /// Not available: say which dependencies to override, or that there are none.
  @available(
    *, unavailable,
    message: """
      override dependencies, as in `.dependencies { $0.retryLimit = 1 }`, or write \
      `.isolatedDependencies`
      """
  )
  public static var dependencies: Self { isolatedDependencies }

  /// Not available: say which dependencies to override, or that there are none.
  @available(
    *, unavailable,
    message: """
      override dependencies, as in `.dependencies { $0.retryLimit = 1 }`, or write \
      `.isolatedDependencies`
      """
  )
  public static func dependencies(line: UInt = #line) -> Self { isolatedDependencies }
}
