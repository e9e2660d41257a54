import ComposableDependencies
import DependencyCarriers
import Distributed
import TestSupport
import Testing

distributed actor Greeter {
  typealias ActorSystem = MessageSystem

  distributed func greet(_ name: String) async -> String {
    let scope = DependencyScope.current
    return "\(name) of \(scope.tenant ?? "nobody"), \(scope.plan), \(scope.secret)"
  }

  /// Calls another actor, in a third process.
  distributed func forward(_ name: String, to other: Greeter) async throws -> String {
    try await other.greet(name)
  }
}

private distributed actor LocalGreeter {
  typealias ActorSystem = LocalTestingDistributedActorSystem

  distributed func tenant() -> String? { DependencyScope.current.tenant }
}

@Suite("Distributed actors")
struct DistributedActorTests {
  private let client = MessageSystem()
  private let server = MessageSystem()
  private let served: Greeter

  init() {
    client.connect(to: server)
    served = Greeter(actorSystem: server)
  }

  /// The actor of the other process, as the client sees it.
  private var remote: Greeter {
    get throws { try Greeter.resolve(id: served.id, using: client) }
  }

  @Test("only carried values are read in the other process")
  func otherProcess() async throws {
    let greeter = try remote
    let answer = try await withDependencies {
      $0.tenant = "acme"
      $0.plan = .paid
      $0.secret = "hush"
    } operation: {
      try await greeter.greet("Ann")
    }
    #expect(answer == "Ann of acme, free, none")
    #expect(client.sent.map(\.baggage) == ["tenant=acme"])
  }

  @Test("two calls at the same time keep their values apart")
  func concurrent() async throws {
    let greeter = try remote
    try await withThrowingTaskGroup { group in
      for number in 0..<50 {
        group.addTask {
          let answer = try await withDependencies {
            $0.tenant = "tenant \(number)"
          } operation: {
            try await greeter.greet("\(number)")
          }
          #expect(answer == "\(number) of tenant \(number), free, none")
        }
      }
      try await group.waitForAll()
    }
  }

  @Test("values that a process received travel on to the process that it calls")
  func onward() async throws {
    let third = MessageSystem()
    server.connect(to: third)
    let last = Greeter(actorSystem: third)
    let greeter = try remote
    let other = try Greeter.resolve(id: last.id, using: client)
    let answer = try await withDependencies {
      $0.tenant = "acme"
    } operation: {
      try await greeter.forward("Ann", to: other)
    }
    #expect(answer == "Ann of acme, free, none")
    #expect(server.sent.map(\.baggage) == ["tenant=acme"])
    withExtendedLifetime(last) {}
  }

  @Test("an actor of the local testing system is in its caller's process, and in its scope")
  func local() async throws {
    let greeter = LocalGreeter(actorSystem: LocalTestingDistributedActorSystem())
    let tenant = try await withDependencies {
      $0.tenant = "acme"
    } operation: {
      try await greeter.tenant()
    }
    #expect(tenant == "acme")
  }
}
