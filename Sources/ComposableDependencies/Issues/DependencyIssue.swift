internal import Synchronization

/// A misuse of the library: what is wrong, where, and what to write instead.
///
/// The library reports an issue, and the program continues as the issue describes. Only a cycle of
/// defaults leaves nothing to continue with: a debug build stops and names the keys, and a release
/// build overflows its stack.
///
/// In a process that links `ComposableTesting`, an issue fails the running test. Otherwise, debug
/// builds print each distinct issue once to standard error, and release builds print nothing. You can
/// replace the handler:
///
/// ```swift
/// let previous = DependencyIssue.replaceHandler { issue in
///   logger.fault("\(issue)")
/// }
/// ```
public struct DependencyIssue: Error, Hashable, CustomStringConvertible {
  /// What is wrong, and what happens because of it.
  public let problem: String

  /// What to write instead.
  public let remedy: String

  /// The file of the misuse, as `Module/File.swift`; `nil` if Swift doesn't provide it.
  public let fileID: String?

  /// The line of the misuse in ``fileID``, counted from 1.
  public let line: UInt?

  /// Creates an issue with the place of this call.
  ///
  /// - Parameters:
  ///   - problem: What is wrong, and what happens because of it.
  ///   - remedy: What to write instead.
  ///   - fileID: The file that the issue names.
  ///   - line: The line that the issue names.
  public init(
    problem: String, remedy: String, fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(problem: problem, remedy: remedy, at: SourcePlace(fileID: fileID, line: line))
  }

  /// Creates an issue whose place may be unknown.
  package init(problem: String, remedy: String, at place: SourcePlace?) {
    self.problem = problem
    self.remedy = remedy
    self.fileID = place.map { "\($0.fileID)" }
    self.line = place?.line
  }

  /// The place and the problem, and the remedy on a second line.
  public var description: String {
    let place = if let fileID, let line { "\(fileID):\(line): " } else { "" }
    return "\(place)\(problem)\n  Instead: \(remedy)"
  }
}

extension DependencyIssue {
  /// A closure that handles an issue, called synchronously in the task that made the mistake.
  public typealias Handler = @Sendable (DependencyIssue) -> Void

  /// Replaces the process's handler of issues.
  ///
  /// - Returns: The previous handler, to call from the new one or to restore.
  @discardableResult
  public static func replaceHandler(_ handler: @escaping Handler) -> Handler {
    current.withLock { current in
      let previous = current
      current = Installed(handler: handler)
      return previous
    }.handler
  }

  /// Passes the issue to the current handler.
  ///
  /// An issue that the handler itself causes is handled as if none were installed.
  public func report() {
    if Self.isHandling { return Self.failTestOrPrint(self) }
    let installed = Self.current.withLock { $0 }
    Self.$isHandling.withValue(true) { installed.handler(self) }
  }

  /// Whether a handler runs, which may log by dependencies that it misuses.
  @TaskLocal private static var isHandling = false

  /// Whether the process links what fails tests.
  static var canFailTests: Bool { failingTests != nil }

  /// Warns that issues don't fail tests; `nil` if they do.
  package static var warning: String? {
    canFailTests
      ? nil
      : """
      Misuses of dependencies are only printed, and don't fail tests: Swift doesn't find `MisuseHandler` by its \
      mangled name.
        Instead: run the tests with a version of Swift that this package supports.
      """
  }

  /// Reports the issue before what it names throws it.
  func report(beforeThrowingFrom name: String) {
    failingTests?.note(thrower: name)
    report()
  }

  /// Whether a test of Swift Testing runs the current task.
  package static var isInTest: Bool { failingTests?.isInTest ?? false }

  /// A structure, because a bare closure leaks memory each time it is taken out of a mutex.
  private struct Installed {
    let handler: Handler
  }

  private static let current = Mutex(Installed(handler: failTestOrPrint))
  private static let printed = Mutex<Set<DependencyIssue>>([])

  private static let failTestOrPrint: Handler = { issue in
    if failingTests?.fail(over: issue) == true { return }
    #if DEBUG
      if printed.withLock({ $0.insert(issue).inserted }) {
        printToStandardError("Dependency issue: \(issue)\n")
      }
    #endif
  }
}

/// Fails tests over issues.
package protocol IssueFailingTests: SendableMetatype {
  /// - Returns: Whether the current task belongs to a test, which has failed. Any other running test
  ///   may have failed.
  static func fail(over issue: DependencyIssue) -> Bool

  static var isInTest: Bool { get }

  /// Remembers what threw an issue in a test.
  static func note(thrower name: String)
}

/// `TestRuntime.MisuseHandler`, if the process links it.
///
/// Found by its mangled name, so that a program doesn't link what only tests need.
private let failingTests =
  _typeByName("11TestRuntime13MisuseHandlerO") as? any IssueFailingTests.Type
