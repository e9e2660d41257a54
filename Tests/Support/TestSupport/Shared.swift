internal import Synchronization

/// A value that many tasks use, without choices of its own.
package final class Shared<Value: Sendable>: Sendable {
  private let contents: Mutex<Value>

  package init(_ value: Value) { contents = Mutex(value) }

  package var value: Value { contents.withLock { $0 } }

  package func update(_ change: (inout Value) -> Void) { contents.withLock { change(&$0) } }
}

/// Runs two tasks, and returns the order in which they ran: `"ab"` or `"ba"`.
package func orderOfTwo() async throws -> String {
  let order = Shared("")
  try await sideBySide({ order.update { $0 += "a" } }, { order.update { $0 += "b" } })
  return order.value
}

/// Runs some operations concurrently.
package func sideBySide(_ operations: (@Sendable () async throws -> Void)...) async throws {
  try await withThrowingTaskGroup(of: Void.self) { group in
    for operation in operations { group.addTask { try await operation() } }
    try await group.waitForAll()
  }
}
