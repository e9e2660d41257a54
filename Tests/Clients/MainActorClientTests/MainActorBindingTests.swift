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

  @Test("closures of the main actor can enter a scope, and stay on it")
  func mainActor() async throws {
    let (model, scope) = (Model(), scope)
    let add: @MainActor () -> Void = { scope.run { model.add() } }
    let load = { number in try await scope.run { try await model.load(by: number) } }
    add()
    #expect(try await load(1) == 20)
  }

  @Test("nonisolated closures can be bound, and called from anywhere")
  func anywhere() async throws {
    let read = scope.bind { DependencyScope.current.clientLimit }
    let multiply = scope.bind { (number: Int) throws -> Int in
      try Task.checkCancellation()
      return number * DependencyScope.current.clientLimit
    }
    #expect(try await Task.detached { try read() + multiply(2) }.value == 30)
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
