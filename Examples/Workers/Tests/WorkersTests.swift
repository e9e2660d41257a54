import ComposableDependencies
import ComposableTesting
import DependencyCarriers
import Testing

@testable import workers

/// Starts a worker in this process, which gets what a process would get.
private func launch() -> WorkerConnection {
  var environment: [String: String] = [:]
  DependencyScope.current.inject(TenantKey.self, intoEnvironment: &environment)
  // It has nothing of the current scope, apart from the files.
  let scope = DependencyScope.root.with(\.readFile) { $0 }
    .extracting(TenantKey.self, fromEnvironment: environment)
  return WorkerConnection(
    ask: { line in
      // A process reads the request only up to a line break.
      let request = String(line.prefix { !$0.isNewline })
      return line.hasSuffix("crash") ? nil : scope.run { Worker.answer(to: request) }
    },
    end: {})
}

@Suite("Workers", .dependencies { $0.launchWorker = launch })
struct WorkersTests {
  @Test("the tenant reaches every worker", .dependencies { $0.tenant = "Acme, Köln" })
  func tenant() async throws {
    let counts = try await WorkerPool().count(["one", "two words", "three more words"])
    #expect(
      counts == [
        "one": "1 words for Acme, Köln", "two words": "2 words for Acme, Köln",
        "three more words": "3 words for Acme, Köln",
      ])
  }

  @Test("a path may contain a line break")
  func lineBreak() async throws {
    let counts = try await WorkerPool().count(["two\nlines"])
    #expect(counts == ["two\nlines": "2 words for nobody"])
  }

  @Test("after the deadline, no worker counts", .dependencies { $0.deadline = .after(.zero) })
  func deadline() async throws {
    let counts = try await WorkerPool().count(["a"])
    #expect(counts == ["a": "too late for nobody"])
  }

  @Test("a file at which a worker ends isn't counted")
  func crash() async throws {
    let counts = try await WorkerPool().count(["a", "crash"])
    #expect(counts == ["a": "1 words for nobody"])
  }

  @Test("a file that can't be read is answered")
  func unreadable() {
    #expect(Worker.answer(to: "\t/no/such/file") == "unreadable")
  }
}
