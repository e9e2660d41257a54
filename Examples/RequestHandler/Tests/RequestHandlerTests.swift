import ComposableResources
import ComposableTesting
import DependencyCarriers
import ExampleSupport
import Synchronization
import Testing

@testable import request_handler

/// Each test has a pool and a log of its own, and opens real transactions.
@Suite("Requests", .dependencies { $0.opensResourcesInTests = true })
struct RequestHandlerTests {
  private let lines = Lines()
  private let pool = Pool(database: Database(stock: ["book": 1, "bill form": 1000]))

  private func withPool(_ operation: () async throws -> Void) async rethrows {
    try await withDependencies {
      $0.pool = pool
      $0.output = Output { [lines] line in lines.all.withLock { $0.append(line) } }
    } operation: {
      try await operation()
    }
  }

  @Test("a request's changes are committed, and its connection is free again")
  func commits() async {
    await withPool {
      #expect(await handle(Request(user: "alice", item: "book")) == .ordered)
    }
    #expect(await pool.database.stock == ["book": 0, "bill form": 999])
    #expect(await pool.connectionsInUse == 0)
    #expect(lines.sorted == ["[alice] a bill is written", "[alice] committed"])
  }

  @Test("a request that fails is rolled back, and its connection is free again")
  func rollsBack() async {
    await withPool {
      #expect(await handle(Request(user: "bob", item: "lamp")) == .soldOut)
    }
    #expect(await pool.database.stock == ["book": 1, "bill form": 1000])
    #expect(await pool.connectionsInUse == 0)
    #expect(lines.sorted.contains("[bob] rolled back"))
    #expect(lines.sorted.contains("[bob] there is no lamp left"))
  }

  @Test("a request whose commit fails knows it, and its changes are undone")
  func fails() async {
    let pool = Pool(database: Database(stock: ["book": 1, "bill form": 1], failingCommit: 1))
    await withPool {
      await withDependencies {
        $0.pool = pool
      } operation: {
        #expect(await handle(Request(user: "alice", item: "book")) == .notCommitted)
      }
    }
    #expect(await pool.database.stock == ["book": 1, "bill form": 1])
    #expect(await pool.connectionsInUse == 0)
  }

  @Test("a request that waits for a connection until its deadline is too late")
  func deadline() async throws {
    let pool = Pool(database: Database(stock: ["book": 1, "bill form": 1]), limit: 0)
    await withPool {
      await withDependencies {
        $0.pool = pool
        $0.deadline = .after(.milliseconds(1))
      } operation: {
        #expect(await handle(Request(user: "alice", item: "book")) == .tooLate)
      }
    }
    #expect(await pool.database.stock == ["book": 1, "bill form": 1])
  }

  @Test("each of a hundred requests at a time logs its own user")
  func users() async {
    await withPool {
      await withTaskGroup { group in
        for number in 1...100 {
          group.addTask { await handle(Request(user: "\(number)", item: "book")) }
        }
      }
    }
    let closed = lines.sorted.filter { $0.hasSuffix("committed") || $0.hasSuffix("rolled back") }
    #expect(Set(closed.map { $0.prefix { $0 != "]" } }).count == 100)
    #expect(closed.count { $0.hasSuffix("committed") } == 1)
  }
}

private final class Lines: Sendable {
  let all = Mutex<[String]>([])
  var sorted: [String] { all.withLock { $0.sorted() } }
}
