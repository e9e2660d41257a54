internal import TestRuntime

// An asynchronous closure over a parameter pack crashes the Swift 6.3 compiler, and so does one with
// typed throws that never throws. So there is one overload per arity, with and without `throws`.

/// Creates a closure that lets other tasks run before and after it, in explored schedules.
///
/// ```swift
/// @Test(.exploring(), .dependencies { $0.search = interleaved { query in [query] } })
/// func newestSearchWins() async { … }
/// ```
///
/// A closure that replaces a request in a test returns immediately, whereas the request would take
/// a while. With a choice before and after it, anything that could happen meanwhile happens in some
/// schedule. Outside an exploration, the closure does the same as `body`.
///
/// - Parameters:
///   - name: The name of the choices in a failure; the place of this call by default.
///   - fileID: The file that a failure names.
///   - line: The line that a failure names.
///   - body: The closure to run between the two choices.
public func interleaved<Result>(
  named name: String? = nil, fileID: StaticString = #fileID, line: UInt = #line,
  _ body: @escaping @Sendable () async -> Result
) -> @Sendable () async -> Result {
  let point = ChoicePoint(name: name, fileID: fileID, line: line)
  return { await point.around { await body() } }
}

/// Creates a closure that lets other tasks run before and after it, in explored schedules.
public func interleaved<A, Result>(
  named name: String? = nil, fileID: StaticString = #fileID, line: UInt = #line,
  _ body: @escaping @Sendable (A) async -> Result
) -> @Sendable (A) async -> Result {
  let point = ChoicePoint(name: name, fileID: fileID, line: line)
  return { a in await point.around { await body(a) } }
}

/// Creates a closure that lets other tasks run before and after it, in explored schedules.
public func interleaved<A, B, Result>(
  named name: String? = nil, fileID: StaticString = #fileID, line: UInt = #line,
  _ body: @escaping @Sendable (A, B) async -> Result
) -> @Sendable (A, B) async -> Result {
  let point = ChoicePoint(name: name, fileID: fileID, line: line)
  return { a, b in await point.around { await body(a, b) } }
}

/// Creates a throwing closure that lets other tasks run before and after it, in explored schedules.
public func interleaved<Result>(
  named name: String? = nil, fileID: StaticString = #fileID, line: UInt = #line,
  _ body: @escaping @Sendable () async throws -> Result
) -> @Sendable () async throws -> Result {
  let point = ChoicePoint(name: name, fileID: fileID, line: line)
  return { try await point.around { try await body() } }
}

/// Creates a throwing closure that lets other tasks run before and after it, in explored schedules.
public func interleaved<A, Result>(
  named name: String? = nil, fileID: StaticString = #fileID, line: UInt = #line,
  _ body: @escaping @Sendable (A) async throws -> Result
) -> @Sendable (A) async throws -> Result {
  let point = ChoicePoint(name: name, fileID: fileID, line: line)
  return { a in try await point.around { try await body(a) } }
}

/// Creates a throwing closure that lets other tasks run before and after it, in explored schedules.
public func interleaved<A, B, Result>(
  named name: String? = nil, fileID: StaticString = #fileID, line: UInt = #line,
  _ body: @escaping @Sendable (A, B) async throws -> Result
) -> @Sendable (A, B) async throws -> Result {
  let point = ChoicePoint(name: name, fileID: fileID, line: line)
  return { a, b in try await point.around { try await body(a, b) } }
}

/// A point at which any task may run next.
private struct ChoicePoint: Sendable {
  let name: String?
  let fileID: StaticString
  let line: UInt

  private var title: String { name ?? "\(fileID):\(line)" }

  func around<R>(_ body: () async throws -> R) async rethrows -> R {
    guard let run = ScheduleRun.current else { return try await body() }
    await run.choose("is about to call \(title)")
    do {
      let result = try await body()
      await run.choose("returns from \(title)")
      return result
    } catch {
      await run.choose("throws from \(title)")
      throw error
    }
  }
}
