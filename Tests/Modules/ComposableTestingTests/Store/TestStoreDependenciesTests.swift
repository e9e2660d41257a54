import ComposableTesting
import TestSupport
import Testing

@Suite("Dependencies of a test's store", .isolatedDependencies)
struct TestStoreDependenciesTests {
  private let store = TestStore(
    initialState: 0, reducer: parent, environment: Parent().with(\.step, 1))

  @Test("an override changes the actions that follow, also in derived environments and effects")
  func overrides() async {
    await store.send(.add) { $0 = 1 }
    await store.withDependencies { $0.step = 10 }
    await store.send(.add) { $0 = 11 }
    await store.send(.child) { $0 = 21 }
    await store.withDependencies { $0.factor = 2 }
    await store.send(.load)
    await store.receive(.loaded(20)) { $0 = 20 }
    await store.finish()
  }

  @Test("an environment without a scope reads the changed scope")
  func plainEnvironment() async {
    let store = TestStore(
      initialState: 0,
      reducer: Reducer<Int, Action, Void> { state, _, _ in
        state = DependencyScope.current.step
        return .none
      }, environment: ())
    await store.withDependencies { $0.step = 4 }
    await store.send(.add) { $0 = 4 }
    await store.withDependencies { $0.step = 6 }
    await store.send(.add) { $0 = DependencyScope.current.step }
  }
}

private enum Action: Equatable, Sendable {
  case add, child, load, loaded(Int)
}

private enum StepKey: DependencyKey { static var defaultValue: Int { 5 } }
private enum FactorKey: DependencyKey { static var defaultValue: Int { 1 } }

extension Dependencies {
  fileprivate var step: Int {
    get { self[StepKey.self] }
    set { self[StepKey.self] = newValue }
  }
  fileprivate var factor: Int {
    get { self[FactorKey.self] }
    set { self[FactorKey.self] = newValue }
  }
}

private struct Child: ComposableEnvironment {
  let scope = DependencyScope.current
  @Dependency(\.step) var step
}

private struct Parent: ComposableEnvironment {
  let scope = DependencyScope.current
  @Dependency(\.step) var step
  @Dependency(\.factor) var factor
  @DerivedEnvironment<Child> var child
}

private let parent = Reducer<Int, Action, Parent> { state, action, environment in
  switch action {
  case .add: state += environment.step
  case .child: state += environment.child.step
  case .load:
    return .run { send in await send(.loaded(environment.step * environment.factor)) }
  case .loaded(let number): state = number
  }
  return .none
}
