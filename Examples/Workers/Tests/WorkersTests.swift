import ComposableDependencies
import DependencyCarriers
import Synchronization
import Testing

@testable import workers

/// Workers in this process, which get what a process would get.
private final class Workshop: Sendable {
  let launched = Mutex(0)
  /// The files at which a worker ends, and how often.
  let crashes: Mutex<[String: Int]>

  init(crashes: [String: Int] = [:]) { self.crashes = Mutex(crashes) }

  func launch() -> WorkerConnection {
    launched.withLock { $0 += 1 }
    var environment: [String: String] = [:]
    DependencyScope.current.inject(TenantKey.self, intoEnvironment: &environment)
    // A worker has nothing of the current scope, apart from the files.
    let readFile = DependencyScope.current.readFile
    let scope = DependencyScope.root.with(\.readFile, readFile)
      .extracting(TenantKey.self, fromEnvironment: environment)
    return WorkerConnection(
      ask: { line in
        let crashes = self.crashes.withLock { crashes -> Bool in
          guard let file = crashes.keys.first(where: { line.hasSuffix("\t\($0)") }) else {
            return false
          }
          crashes[file]? -= 1
          return (crashes[file] ?? 0) >= 0
        }
        return crashes ? nil : scope.run { Worker.answer(to: line) }
      },
      end: {})
  }
}

private func count(_ files: [String], in workshop: Workshop) async throws -> [String: String?] {
  try await withDependencies {
    $0.readFile = { $0 }
    $0.launchWorker = { workshop.launch() }
  } operation: {
    try await WorkerPool().count(files, processes: 3)
  }
}

@Suite("Workers")
struct WorkersTests {
  @Test("the tenant reaches every worker")
  func tenant() async throws {
    let counts = try await withDependencies {
      $0.tenant = "Acme, Köln"
    } operation: {
      try await count(["one", "two words", "three more words"], in: Workshop())
    }
    #expect(
      counts == [
        "one": "1 words for Acme, Köln", "two words": "2 words for Acme, Köln",
        "three more words": "3 words for Acme, Köln",
      ])
  }

  @Test("after the deadline, no worker counts")
  func deadline() async throws {
    let counts = try await withDependencies {
      $0.deadline = .after(.zero)
    } operation: {
      try await count(["a"], in: Workshop())
    }
    #expect(counts == ["a": "too late for nobody"])
  }

  @Test("a worker that ends loses nothing, and a file at which two end is given up")
  func crashes() async throws {
    let workshop = Workshop(crashes: ["a": 1, "b": 2])
    let counts = try await count(["a", "b", "c", "d"], in: workshop)
    #expect(
      counts == [
        "a": "1 words for nobody", "b": nil, "c": "1 words for nobody", "d": "1 words for nobody",
      ])
    #expect(workshop.launched.withLock { $0 } >= 4)
  }

  @Test("a file that can't be read is answered")
  func unreadable() {
    #expect(Worker.answer(to: "\t/no/such/file") == "unreadable")
  }
}
