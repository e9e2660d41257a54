import ComposableDependencies
import DependencyCarriers
import Foundation
import Testing

// The code of the guide Crossing processes, word for word; `ReadmeTests` compares the two.

enum TenantKey: CarriedKey {
  static let defaultValue: String? = nil
  static let field = "tenant"
}

enum FlagsKey: CarriedKey {
  static let defaultValue: Set<String> = []
  static let field = "flags"
  static func encode(_ value: Set<String>) -> String? {
    value.isEmpty ? nil : value.sorted().joined(separator: " ")
  }
  static func decode(_ text: String) -> Set<String>? {
    Set(text.split(separator: " ").map(String.init))
  }
}

private let overridden = DependencyScope.root.with {
  $0[TenantKey.self] = "Acme, Köln"
  $0[FlagsKey.self] = ["new-search", "dark"]
  $0.deadline = .after(.seconds(60))
}

/// What a handler reads.
private func read() -> [String] {
  let scope = DependencyScope.current
  let flags = scope[FlagsKey.self].sorted().joined(separator: ",")
  return [scope[TenantKey.self] ?? "", flags, scope.deadline == nil ? "" : "deadline"]
}

private func respond(to request: CrossingProcessesSnippets.Request) async throws -> [String] {
  read()
}

@Suite("Crossing processes")
struct CrossingProcessesSnippets {
  struct Request {
    var headers: [String: String] = [:]
  }

  private func handle(_ request: Request) async throws -> [String] {
    let scope = DependencyScope.current.extracting(TenantKey.self, DeadlineKey.self) {
      request.headers[$0]
    }
    return try await scope.run { try await respond(to: request) }
  }

  @Test("fields of a request")
  func fields() async throws {
    var request = Request()
    overridden.run {
      DependencyScope.current.inject(TenantKey.self, DeadlineKey.self) {
        request.headers[$0] = $1
      }
    }
    #expect(try await handle(request) == ["Acme, Köln", "", "deadline"])
  }

  @Test("baggage")
  func baggage() {
    var request = Request()
    overridden.run {
      var baggage = Baggage()
      DependencyScope.current.inject(TenantKey.self, FlagsKey.self, into: &baggage)
      request.headers["baggage"] = baggage.header()
    }
    #expect(request.headers["baggage"] == "tenant=Acme%2C%20K%C3%B6ln,flags=dark%20new-search")
    let baggage = Baggage(request.headers["baggage"])
    let scope = DependencyScope.current.extracting(TenantKey.self, FlagsKey.self, from: baggage)
    #expect(scope.run { read() } == ["Acme, Köln", "dark,new-search", ""])
  }

  private struct ChildProcess {
    var environment: [String: String] = [:]
  }

  @Test("environment variables")
  func environment() {
    var process = ChildProcess()
    overridden.run {
      var environment = ProcessInfo.processInfo.environment
      DependencyScope.current.inject(TenantKey.self, intoEnvironment: &environment)
      process.environment = environment
    }
    #expect(process.environment["TENANT"] == "Acme, K%C3%B6ln")
    #expect(process.environment["PATH"] == ProcessInfo.processInfo.environment["PATH"])
    let scope = DependencyScope.current.extracting(
      TenantKey.self, fromEnvironment: ProcessInfo.processInfo.environment)
    #expect(scope[TenantKey.self] == nil)
  }

  private func upload() async throws {
    #expect(DependencyScope.current.deadline?.hasPassed == false)
  }

  @Test("a deadline")
  func deadline() async throws {
    try await withDependencies {
      $0.deadline = .after(.seconds(30))
    } operation: {
      try await upload()
    }
  }
}
