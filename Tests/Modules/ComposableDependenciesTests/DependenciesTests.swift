import ComposableDependencies
import TestSupport
import Testing

@Suite("Dependencies")
struct DependenciesTests {
  @Test("a struct can be its own key")
  func structIsItsOwnKey() {
    #expect(DependencyScope.root.client.name == "live")
    #expect(DependencyScope.root.with(\.client, Client(name: "test")).client.name == "test")
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

  @Test("a dependency can be an optional, a closure or an existential")
  func unusualValues() async {
    let scope = DependencyScope.root
      .with(\.observer, { $0 + 1 })
      .with(\.clock, SuspendingClock())
      .with(\.user, "blob")
    #expect(scope.observer?(1) == 2)
    #expect(scope.clock is SuspendingClock)
    #expect(scope.user == "blob")
    #expect(scope.with(\.user, nil).user == nil)
    #expect(DependencyScope.root.observer == nil)
  }

  @Test("a part of a dependency can be overridden")
  func partOfDependency() {
    let scope = DependencyScope.root.with(\.client.name, "part")
    #expect(scope.client.name == "part")
    #expect(scope.client.retries == 3)
  }

  @Test("inside the update, a read sees what was set before it")
  func updateSeesItself() {
    withDependencies {
      $0.a = 5
      $0.b = $0.a + 1
      $0.c = $0.double
    } operation: {
      #expect(DependencyScope.current.b == 6)
      #expect(DependencyScope.current.c == 10)
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

private enum ObserverKey: DependencyKey {
  static let defaultValue: (@Sendable (Int) -> Int)? = nil
}

private enum ClockKey: DependencyKey {
  static let defaultValue: any Clock<Duration> = ContinuousClock()
}

private enum UserKey: DependencyKey {
  static let defaultValue: String? = nil
}

extension Dependencies {
  fileprivate var client: Client {
    get { self[Client.self] }
    set { self[Client.self] = newValue }
  }

  fileprivate var observer: (@Sendable (Int) -> Int)? {
    get { self[ObserverKey.self] }
    set { self[ObserverKey.self] = newValue }
  }

  fileprivate var clock: any Clock<Duration> {
    get { self[ClockKey.self] }
    set { self[ClockKey.self] = newValue }
  }

  fileprivate var user: String? {
    get { self[UserKey.self] }
    set { self[UserKey.self] = newValue }
  }
}
