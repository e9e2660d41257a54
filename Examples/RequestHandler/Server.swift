import ComposableReducers
import ComposableResources
import DependencyCarriers
import ExampleSupport
import Foundation

/// A server under load, until SIGTERM.
///
/// Then it drains, and closes what it has opened. Much goes wrong: clients set deadlines
/// that many requests miss, commits fail, one resource hangs when it closes, and a request arrives
/// when the server has stopped.
struct Server {
  private let database = Database(
    stock: ["book": 1_000_000, "lamp": 50, "bill form": 1_000_000], failingCommit: 10)

  func run() async throws {
    let output = DependencyScope.current.output
    DependencyIssue.replaceHandler { output.print("issue: \($0.problem)") }
    try await withDependencies {
      $0.database = database
      $0.longestDeadline = .milliseconds(50)
      $0.resourceClosingTime = .milliseconds(100)
      // The lines of single requests would be too many.
      $0.output = Output { line in if line.hasPrefix("[server]") { output.print(line) } }
    } operation: {
      try await serve()
    }
    let (stock, sold) = await (database.stock, database.sold)
    // What was taken was sold, or given back.
    guard stock["book"]! + sold["book", default: 0] == 1_000_000,
      sold["bill form", default: 0] == sold["book", default: 0] + sold["lamp", default: 0]
    else { fatalError("The books are wrong: \(stock), \(sold).") }
  }

  private func serve() async throws {
    let late = try await withResources(PoolKey.self, CountKey.self, AuditKey.self) {
      let application = DependencyScope.current
      await withDiscardingTaskGroup { group in
        // Returns when the requests in flight have ended.
        for await call in clients(32) {
          group.addTask {
            await answer(call.number, in: application)
            call.answered.resume()
          }
        }
      }
      log("drained")
      // A client that the server has forgotten, while the audit's end hangs.
      return Task.detached {
        try? await Task.sleep(for: .milliseconds(100))
        return await application.run { await handle(Request(user: "late", item: "book")) }
      }
    }
    log("late: \(await late.value)")
  }

  /// Answers one request, as a framework does: on a task that is outside the application's scope.
  private func answer(_ number: Int, in application: DependencyScope) async {
    let request = Request(user: "\(number)", item: number.isMultiple(of: 50) ? "lamp" : "book")
    // Most clients would wait for a day, some don't wait at all.
    let deadline = number.isMultiple(of: 30) ? "0" : number.isMultiple(of: 3) ? "1" : "86400000"
    let outcome = await Task.detached {
      await application.with(\.resourceClosingTime, .seconds(10))
        .extracting(DeadlineKey.self) { _ in deadline }
        .run { await handle(request) }
    }.value
    await application[CountKey.self].send(outcome)
  }

  private struct Call: Sendable {
    let number: Int
    let answered: CheckedContinuation<Void, Never>
  }

  /// The requests of a number of clients, each of which sends one after the other, until SIGTERM.
  private func clients(_ count: Int) -> AsyncStream<Call> {
    let (calls, sent) = AsyncStream.makeStream(of: Call.self)
    let clients = Task.detached {
      await withDiscardingTaskGroup { group in
        for client in 0..<count {
          group.addTask {
            var number = client
            while !Task.isCancelled {
              await withCheckedContinuation { sent.yield(Call(number: number, answered: $0)) }
              number += count
            }
          }
        }
      }
      sent.finish()
    }
    signal(SIGTERM, SIG_IGN)
    let source = DispatchSource.makeSignalSource(signal: SIGTERM)
    source.setEventHandler {
      clients.cancel()
      source.cancel()
    }
    source.resume()
    log("serving")
    return calls
  }
}

/// Counts how requests end: a store as a resource, which ends before what opened earlier closes.
enum CountKey: ResourceKey {
  typealias Count = Store<[Outcome: Int], Outcome>

  struct Environment: ComposableEnvironment { let scope = DependencyScope.current }

  private static let reducer = Reducer<[Outcome: Int], Outcome, Environment> { counts, outcome, _ in
    counts[outcome, default: 0] += 1
    return .run { _ in
      // Too slow for each outcome, so only the last one is written, even if the store ends first.
      try await Task.sleep(for: .seconds(1))
    }
    .cancellable(id: "write", cancelInFlight: true)
  }

  static var defaultValue: Count { Store(initialState: [:], reducer: .empty, environment: ()) }

  static func open(_ needs: ResourceOpening) async throws -> Count {
    _ = try await needs(PoolKey.self)
    return Store(initialState: [:], reducer: reducer, environment: Environment())
  }

  static func close(_ store: Count) async {
    await store.cancelAndFinish()
    let counts = await store.state
    log(
      "counted "
        + Outcome.allCases.map { "\($0) \(counts[$0, default: 0])" }.joined(separator: ", "))
  }
}

/// Hangs when it closes, so its `close` has a deadline of its own.
enum AuditKey: ResourceKey {
  static var defaultValue: Void { () }
  static func open(_ needs: ResourceOpening) async throws {}

  static func close(_: Void) async {
    do {
      try await withDependencies {
        $0.deadline = .after(.milliseconds(500))
      } operation: {
        try await beforeDeadline { try await Task.sleep(for: .seconds(3_600)) }
      }
    } catch {
      log("the audit is given up: \(error)")
    }
  }
}
