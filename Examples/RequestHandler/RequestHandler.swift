import ComposableEnvironment
import ComposableResources
import DependencyCarriers
import ExampleSupport

/// Handles orders: a pool that the program opens once, a transaction for each request, and the
/// request's user in every line of the log.
///
/// Continue with `Resources`, which opens and closes the pool and the transactions. With the argument
/// `serve`, the program is a server under load, in `Server`.
@main
enum RequestHandler {
  static func main() async throws {
    if CommandLine.arguments.dropFirst().first == "serve" { return try await Server().run() }
    let requests = [
      Request(user: "alice", item: "book"), Request(user: "bob", item: "lamp"),
      Request(user: "carol", item: "book"), Request(user: "dave", item: "book"),
    ]
    try await withResources(PoolKey.self) {
      await withTaskGroup { group in
        for request in requests { group.addTask { await handle(request) } }
      }
      log("\(await DependencyScope.current.pool.database.stock)")
    }
  }
}

struct Request {
  var user: String
  var item: String
}

/// How a request ends.
enum Outcome: String, CaseIterable, Sendable {
  case ordered, soldOut, notCommitted, tooLate, refused, failed
}

/// Handles a request in a scope of its own, until its deadline.
@discardableResult
func handle(_ request: Request) async -> Outcome {
  await withDependencies {
    $0.user = request.user
  } operation: {
    do {
      // Around the transaction, so that the wait for a connection ends, too.
      return try await beforeDeadline {
        // The transaction closes when the closure returns, throws or is canceled.
        try await withResources(TransactionKey.self) {
          try await order(request.item)
          // A canceled order that didn't notice is rolled back, too.
          try Task.checkCancellation()
          try await DependencyScope.current.transaction.commit()
          return .ordered
        }
      }
    } catch {
      log("\(error)")
      return switch error {
      case is Database.SoldOut: .soldOut
      case is Database.NotCommitted: .notCommitted
      case is DeadlineError: .tooLate
      case is ResourceError: .refused
      default: .failed
      }
    }
  }
}

/// Takes an item from the stock, and writes the bill at the same time.
///
/// Neither gets the user or the transaction as a parameter: child tasks inherit the scope.
private func order(_ item: String) async throws {
  async let item: Void = DependencyScope.current.transaction.take(item)
  async let bill: Void = writeBill()
  _ = try await (item, bill)
}

private func writeBill() async throws {
  try await DependencyScope.current.transaction.take("bill form")
  log("a bill is written")
}

/// Prints a line with the user of the current request.
func log(_ message: String) {
  let scope = DependencyScope.current
  scope.output.print("[\(scope.user)] \(message)")
}

private enum UserKey: DependencyKey {
  static let defaultValue = "server"
}

extension Dependencies {
  /// The user whose request is handled.
  var user: String {
    get { self[UserKey.self] }
    set { self[UserKey.self] = newValue }
  }
}
