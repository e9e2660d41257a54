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
/// schedule. In a test that isn't explored, what is ready runs before it and after it. Outside the scope of a
/// test, the closure does the same as `body`.
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
  return { await point.around({ await body() }, fail: { _ in }) }
}

/// Creates a closure that lets other tasks run before and after it, in explored schedules.
public func interleaved<A, Result>(
  named name: String? = nil, fileID: StaticString = #fileID, line: UInt = #line,
  _ body: @escaping @Sendable (A) async -> Result
) -> @Sendable (A) async -> Result {
  let point = ChoicePoint(name: name, fileID: fileID, line: line)
  return { a in await point.around({ await body(a) }, fail: { _ in }) }
}

/// Creates a closure that lets other tasks run before and after it, in explored schedules.
public func interleaved<A, B, Result>(
  named name: String? = nil, fileID: StaticString = #fileID, line: UInt = #line,
  _ body: @escaping @Sendable (A, B) async -> Result
) -> @Sendable (A, B) async -> Result {
  let point = ChoicePoint(name: name, fileID: fileID, line: line)
  return { a, b in await point.around({ await body(a, b) }, fail: { _ in }) }
}

/// Creates a throwing closure that lets other tasks run before and after it, in explored schedules.
public func interleaved<Result>(
  named name: String? = nil, fileID: StaticString = #fileID, line: UInt = #line,
  _ body: @escaping @Sendable () async throws -> Result
) -> @Sendable () async throws -> Result {
  let point = ChoicePoint(name: name, fileID: fileID, line: line)
  return { try await point.around({ try await body() }, fail: { _ in }) }
}

/// Creates a throwing closure that lets other tasks run before and after it, in explored schedules.
public func interleaved<A, Result>(
  named name: String? = nil, fileID: StaticString = #fileID, line: UInt = #line,
  _ body: @escaping @Sendable (A) async throws -> Result
) -> @Sendable (A) async throws -> Result {
  let point = ChoicePoint(name: name, fileID: fileID, line: line)
  return { a in try await point.around({ try await body(a) }, fail: { _ in }) }
}

/// Creates a throwing closure that lets other tasks run before and after it, in explored schedules.
public func interleaved<A, B, Result>(
  named name: String? = nil, fileID: StaticString = #fileID, line: UInt = #line,
  _ body: @escaping @Sendable (A, B) async throws -> Result
) -> @Sendable (A, B) async throws -> Result {
  let point = ChoicePoint(name: name, fileID: fileID, line: line)
  return { a, b in try await point.around({ try await body(a, b) }, fail: { _ in }) }
}

/// Creates a closure that may fail, between choices of what runs next, in explored schedules.
///
/// ```swift
/// $0.save = interleaved(named: "save", orThrowing: Timeout()) { note in server.add(note) }
/// ```
///
/// A request can get lost, and so can the answer to a request that the server has carried out. So a
/// call that fails throws one of the errors *before* it calls `body`, or *after* `body` has returned.
/// Each is another choice, like a task that runs before an older one. In the plain order, no call
/// fails.
///
/// - Parameters:
///   - name: The name of the choices in a failure; the place of this call by default.
///   - error: The error that a call may throw.
///   - others: Other errors that it may throw.
///   - failing: Where a call may fail. If the server refuses a request, nothing has happened: pass
///     ``CallFailure/beforeBody``.
///   - fileID: The file that a failure names.
///   - line: The line that a failure names.
///   - body: The closure to run between the two choices.
public func interleaved<Result>(
  named name: String? = nil, orThrowing error: any Error, _ others: any Error...,
  failing: CallFailure = .beforeOrAfterBody,
  fileID: StaticString = #fileID, line: UInt = #line,
  _ body: @escaping @Sendable () async throws -> Result
) -> @Sendable () async throws -> Result {
  let point = ChoicePoint(name: name, [error] + others, failing, fileID: fileID, line: line)
  return { try await point.around({ try await body() }, fail: { throw $0 }) }
}

/// Creates a closure that may fail, between choices of what runs next, in explored schedules.
public func interleaved<A, Result>(
  named name: String? = nil, orThrowing error: any Error, _ others: any Error...,
  failing: CallFailure = .beforeOrAfterBody,
  fileID: StaticString = #fileID, line: UInt = #line,
  _ body: @escaping @Sendable (A) async throws -> Result
) -> @Sendable (A) async throws -> Result {
  let point = ChoicePoint(name: name, [error] + others, failing, fileID: fileID, line: line)
  return { a in try await point.around({ try await body(a) }, fail: { throw $0 }) }
}

/// Creates a closure that may fail, between choices of what runs next, in explored schedules.
public func interleaved<A, B, Result>(
  named name: String? = nil, orThrowing error: any Error, _ others: any Error...,
  failing: CallFailure = .beforeOrAfterBody,
  fileID: StaticString = #fileID, line: UInt = #line,
  _ body: @escaping @Sendable (A, B) async throws -> Result
) -> @Sendable (A, B) async throws -> Result {
  let point = ChoicePoint(name: name, [error] + others, failing, fileID: fileID, line: line)
  return { a, b in try await point.around({ try await body(a, b) }, fail: { throw $0 }) }
}

/// Where a call that `interleaved` lets fail throws its error.
public enum CallFailure: Sendable {
  /// Before the body, which doesn't run: the request got lost, or the server refused it.
  case beforeBody
  /// After the body has returned: only the answer got lost.
  case afterBody
  /// Before the body in some schedules, and after it in others.
  case beforeOrAfterBody
}

/// A point at which any task may run next, or a call may fail.
private struct ChoicePoint: Sendable {
  private let title: String
  private let errors: [any Error]
  private let failure: CallFailure

  init(
    name: String?, _ errors: [any Error] = [], _ failure: CallFailure = .beforeOrAfterBody,
    fileID: StaticString, line: UInt
  ) {
    title = name ?? "\(fileID):\(line)"
    self.errors = errors
    self.failure = failure
  }

  /// - Parameter fail: Throws the error of a call that fails.
  func around<R>(
    _ body: () async throws -> R, fail: (any Error) throws -> Void
  ) async rethrows -> R {
    guard let order = TestRun.ofScope?.order else { return try await body() }
    await order.choose("is about to call \(title)")
    if failure != .afterBody, let error = chooseError("before it runs", in: order) {
      try fail(error)
    }
    do {
      let result = try await body()
      if failure != .beforeBody, let error = chooseError("after it has run", in: order) {
        try fail(error)
      }
      await order.choose("returns from \(title)")
      return result
    } catch {
      await order.choose("throws from \(title)")
      throw error
    }
  }

  private func chooseError(_ moment: String, in order: JobOrder) -> (any Error)? {
    order.chooseError(among: errors) { error in
      let isCase = Mirror(reflecting: error).displayStyle == .enum
      let name = isCase ? "\(type(of: error)).\(error)" : "\(error)"
      return "\(title) throws \(name.shortened(to: 80)) \(moment)"
    }
  }
}
