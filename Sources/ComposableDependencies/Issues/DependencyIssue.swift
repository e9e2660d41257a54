internal import Synchronization

/// A misuse of the library: what is wrong, where, and what to write instead.
///
/// The library never stops a program over a misuse. It reports an issue, and goes on in the way
/// that the issue describes. In debug builds issues go to standard error, each distinct one once; in
/// release builds nothing is printed. A test library can replace that:
///
/// ```swift
/// let previous = DependencyIssue.replaceHandler { issue in
///   Issue.record("\(issue)")
/// }
/// ```
public struct DependencyIssue: Hashable, Sendable, CustomStringConvertible {
  /// What is wrong, and what happens because of it.
  public let problem: String

  /// What to write instead.
  public let remedy: String

  /// The file of the misuse, as `Module/File.swift`; nothing where Swift does not tell it.
  public let fileID: String?

  /// The line of the misuse in ``fileID``, counted from 1.
  public let line: UInt?

  /// Describes a misuse.
  public init(problem: String, remedy: String, fileID: StaticString, line: UInt) {
    self.problem = problem
    self.remedy = remedy
    self.fileID = "\(fileID)"
    self.line = line
  }

  /// Describes a misuse whose place may be unknown.
  package init(problem: String, remedy: String, at location: SourceLocation?) {
    self.problem = problem
    self.remedy = remedy
    self.fileID = location.map { "\($0.fileID)" }
    self.line = location?.line
  }

  /// The place, the problem and the remedy, on two lines.
  public var description: String {
    let place = if let fileID, let line { "\(fileID):\(line): " } else { "" }
    return "\(place)\(problem)\n  Instead: \(remedy)"
  }
}

extension DependencyIssue {
  /// What is done with an issue; called synchronously, in the task that made the mistake.
  public typealias Handler = @Sendable (DependencyIssue) -> Void

  /// Replaces what is done with every issue of the process.
  ///
  /// - Returns: The handler in force before, to call from the new one or to put back.
  @discardableResult
  public static func replaceHandler(_ handler: @escaping Handler) -> Handler {
    current.withLock { current in
      let previous = current
      current = Installed(handler: handler)
      return previous
    }.handler
  }

  /// Hands the issue to the handler in force.
  public func report() {
    let installed = Self.current.withLock { $0 }
    installed.handler(self)
  }

  /// A closure that is taken out of a mutex, not in a structure, leaks memory each time.
  private struct Installed {
    let handler: Handler
  }

  private static let current = Mutex(Installed(handler: printOnce))
  private static let printed = Mutex<Set<DependencyIssue>>([])

  private static let printOnce: Handler = { issue in
    #if DEBUG
      if printed.withLock({ $0.insert(issue).inserted }) {
        printToStandardError("Dependency issue: \(issue)\n")
      }
    #endif
  }
}

/// Where the user wrote something.
package struct SourceLocation: Sendable {
  let fileID: StaticString
  let line: UInt
}
