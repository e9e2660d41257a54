/// What a test reports about the dependencies that it uses.
///
/// ```swift
/// @Suite(.dependencies(reporting: .all) { $0.retryLimit = 1 })
/// struct SearchTests { … }
/// ```
///
/// Each report fails the test, and says where the value came from.
public struct DependencyReports: OptionSet, Sendable {
  /// A number with one bit for each report.
  public let rawValue: Int

  /// Creates a set from a number with one bit for each report.
  public init(rawValue: Int) {
    self.rawValue = rawValue
  }

  /// Reports each default that is read outside any scope.
  ///
  /// A detached task, a queue's callback or a thread has no scope: it silently reads defaults. Such a
  /// read doesn't belong to a particular test. If several tests listen at the same time, the failure
  /// belongs to the whole run and names all of them.
  public static let lostReads = DependencyReports(rawValue: 1)

  /// Reports each override of a trait, or of `withTestDependencies`, that nothing reads.
  ///
  /// What a default reads counts for the code that reads the default. An override by a suite's trait
  /// is reported only if no test of the suite that runs reads it. One by the trait of a parameterized
  /// test is reported only if no case reads it.
  public static let unusedOverrides = DependencyReports(rawValue: 2)

  /// Reports each default that is read, because neither the test nor a trait sets the dependency.
  ///
  /// Use it to make a whole suite strict: a `testValue` is a default, too, `\.fireAndForget`'s
  /// included. What a default itself reads isn't reported: set the dependency that the code reads.
  /// The instance of a `SharedKey` isn't a default in this sense, but
  /// what it is made from is.
  public static let defaults = DependencyReports(rawValue: 4)

  /// Reports each task that an asynchronous test leaves behind: it can still run, or sleeps on a
  /// `TestClock`.
  ///
  /// A task that waits for something else isn't reported: a view's task may listen as long as the
  /// program runs. A ``TestStore`` reports its effects by itself.
  ///
  /// The trait of a test with `.exploring()` doesn't report tasks. Report them in the test, by
  /// ``withTestDependencies(reporting:_:isolation:fileID:line:operation:)``.
  public static let unfinishedTasks = DependencyReports(rawValue: 8)

  /// All reports.
  public static let all: DependencyReports = [
    .lostReads, .unusedOverrides, .defaults, .unfinishedTasks,
  ]
}
