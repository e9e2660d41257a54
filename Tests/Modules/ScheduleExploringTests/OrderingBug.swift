import Foundation
import StandardDependencies
import Synchronization
import TestSupport
import Testing

/// A program that fails in some order of its tasks, and its correct version.
struct OrderingBug: Sendable, CustomTestStringConvertible {
  let name: String
  /// The number of schedules within which it must be found, from any seed.
  let limit: Int
  let body: @Sendable (_ isCorrect: Bool) async throws -> Void

  var buggy: @Sendable () async throws -> Void { { try await body(false) } }
  var correct: @Sendable () async throws -> Void { { try await body(true) } }

  var testDescription: String { name }
}

/// The error of a program that failed.
struct WentWrong: Error, CustomStringConvertible {
  let description: String
}

func require(_ condition: Bool, _ problem: String) throws {
  if !condition { throw WentWrong(description: problem) }
}

/// Sleeps on the clock of the current scope.
func sleep(_ duration: Duration) async throws {
  try await DependencyScope.current.continuousClock.sleep(for: duration)
}

/// The time that has passed in the current scope.
var secondsPassed: Double { DependencyScope.current.date().timeIntervalSinceReferenceDate }

/// A lock to be held across suspensions; waiting for it ends when the task is cancelled.
actor AsyncLock {
  private var isHeld = false
  private var waiting: [AsyncStream<Never>.Continuation] = []

  func lock() async {
    guard isHeld else { return isHeld = true }
    let (stream, continuation) = AsyncStream.makeStream(of: Never.self)
    waiting.append(continuation)
    for await _ in stream {}
  }

  func unlock() {
    if waiting.isEmpty { isHeld = false } else { waiting.removeFirst().finish() }
  }
}
