import ComposableReducers
import Testing

/// A client of `bind` in a module that isolates to the main actor by default.
@Suite("Main actor client: carrying a scope")
struct MainActorBindingTests {
  private final class Model {
    var count = 0
    func add() { count += DependencyScope.current.clientLimit }
    func load(by number: Int) async throws -> Int {
      await Task.yield()
      count += number * DependencyScope.current.clientLimit
      return count
    }
  }

  private let scope = DependencyScope.root.with(\.clientLimit, 10)

  @Test("methods and literals of the main actor can be bound, and stay on it")
  func mainActor() async throws {
    let model = Model()
    let add: @MainActor () -> Void = scope.bind(model.add)
    let load: @MainActor (Int) async throws -> Int = scope.bind(model.load)
    let literal: @MainActor (Int) -> Void = scope.bind { @MainActor in
      model.count += $0 * DependencyScope.current.clientLimit
    }
    let named: @MainActor () async -> Void = scope.bind(on: MainActor.self) {
      await Task.yield()
      model.add()
    }
    add()
    literal(1)
    await named()
    #expect(try await load(1) == 40)
  }

  @Test("nonisolated closures can be bound, and called from anywhere")
  func anywhere() async throws {
    let read = scope.bind { DependencyScope.current.clientLimit }
    let asynchronous = scope.bind { (number: Int) async throws -> Int in
      try Task.checkCancellation()
      return number * DependencyScope.current.clientLimit
    }
    #expect(try await Task.detached { try await read() + asynchronous(2) }.value == 30)
  }
}

private nonisolated enum ClientLimitKey: DependencyKey {
  static var defaultValue: Int { 1 }
}

nonisolated extension Dependencies {
  fileprivate var clientLimit: Int {
    get { self[ClientLimitKey.self] }
    set { self[ClientLimitKey.self] = newValue }
  }
}
