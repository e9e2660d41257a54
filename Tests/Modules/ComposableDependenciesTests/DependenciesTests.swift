import ComposableDependencies
import TestSupport
import Testing

@Suite("Dependencies")
struct DependenciesTests {
  @Test("a struct can be its own key, and a part of it can be overridden")
  func structIsItsOwnKey() {
    let scope = DependencyScope.root.with(\.client.name, "part")
    #expect((scope.client.name, scope.client.retries) == ("part", 3))
    withDependencies {
      $0[Client.self].name += "!"
    } operation: {
      @Dependency(Client.self) var client
      #expect(client.name == "live!")
    }
  }

  @Test("an open class can be its own key, and its subclass is another key")
  func openClassIsItsOwnKey() {
    let other = Session()
    withDependencies {
      $0[Session.self] = other
    } operation: {
      @Dependency(Session.self) var session
      @Dependency(SpecialSession.self) var specialSession
      #expect(session === other)
      #expect(specialSession === Session.defaultValue)
    }
  }
}

private struct Client: DependencyKey {
  static let defaultValue = Client(name: "live")
  var name: String
  var retries = 3
}

private class Session: DependencyKey, @unchecked Sendable {
  static let defaultValue = Session()
}

private final class SpecialSession: Session, @unchecked Sendable {}

extension Dependencies {
  fileprivate var client: Client {
    get { self[Client.self] }
    set { self[Client.self] = newValue }
  }
}
