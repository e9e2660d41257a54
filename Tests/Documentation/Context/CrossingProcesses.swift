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

private func respond(to request: CrossingProcesses.Request) async throws -> [String] {
  read()
}

@Suite("The code of Crossing processes")
private struct CrossingProcesses {
  struct Request {
    var headers: [String: String] = [:]
  }

  private func handle(_ request: Request) async throws -> [String] {
    // block: let scope = DependencyScope.current.extracting(TenantKey.self, DeadlineKey.self)
  }

  @Test("fields of a request")
  func fields() async throws {
    var request = Request()
    overridden.run {
      // block: DependencyScope.current.inject(TenantKey.self, DeadlineKey.self)
    }
    #expect(try await handle(request) == ["Acme, Köln", "", "deadline"])
  }

  @Test("baggage")
  func baggage() {
    var request = Request()
    overridden.run {
      // block: var baggage = Baggage()
    }
    #expect(request.headers["baggage"] == "tenant=Acme%2C%20K%C3%B6ln,flags=dark%20new-search")
    // block: let baggage = Baggage(
    #expect(scope.run { read() } == ["Acme, Köln", "dark,new-search", ""])
  }
}
