import ComposableTesting
import Dispatch
import TestSupport
import Testing

@testable import ComposableDependencies

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
  }

  @Test("`using` accepts what it names, and what the default of that reads")
  func using() async {
    await store.send(.add, using: [\.step]) { $0 = 1 }
    await store.send(.load, using: [\.step, \.factor])
    await store.receive(.loaded(1))
    await store.send(.derived, using: [\.doubled]) { $0 = 2 }
  }

  @Test("`using` stops recording what is read")
  func ended() async {
    await store.send(.add, using: [\.step]) { $0 = 1 }
    #expect(!DependencyScope.current.storeOptions.contains(.observingReads))
  }

  @Test("`using` ignores what the assertion itself reads, also if it throws")
  func assertion() async {
    await store.send(.add, using: [\.step]) { $0 = DependencyScope.current.factor }
    let failures = await collectFailures {
      await store.send(.load, using: [\.step]) { _ in
        _ = DependencyScope.current.doubled
        throw CancellationError()
      }
    }
    let text = failures.map { $0.comments.map(\.rawValue).joined() }
    #expect(failures.count == 2 && text.contains { $0.contains("`FactorKey`") }, "\(text)")
    #expect(!text.contains { $0.contains("DoubledKey") }, "\(text)")
    await store.receive(.loaded(1))
  }

  private enum Other {
    static let scope = DependencyScope.isolated()
    static let task = Shared<Task<Void, Never>?>(nil)
    static let reads = Gate()
    static let hasRead = DispatchSemaphore(value: 0)
  }

  @Test(
    "`using` ignores what another test reads that shares its global store", .serialized,
    arguments: ["another case", "this case"])
  func otherTests(name: String) async {
    guard let other = Other.task.value else {
      // Its tasks belong to this case.
      let task = Task {
        await Other.reads.wait()
        _ = Other.scope.factor
        Other.hasRead.signal()
      }
      return Other.task.update { $0 = task }
    }
    await Other.scope.run {
      let reducer = Reducer<Int, Action, Void> { _, _, _ in
        Other.reads.open()
        Other.hasRead.wait()
        _ = DependencyScope.current.doubled
        return .none
      }
      let store = TestStore(initialState: 0, reducer: reducer, environment: ())
      let failures = await collectFailures { await store.send(.add, using: []) }
      let text = failures.map { $0.comments.map(\.rawValue).joined() }
      #expect(text.count == 1 && text.first?.contains("`DoubledKey`") == true, "\(text)")
    }
    await other.value
  }

  @Test("`using` fails where another dependency is read, and says where its value comes from")
  func others() async {
    let failures = await collectFailures {
      await store.send(.load, using: [\.step])
    }
    #expect(failures.count == 1)
    let text = failures.first?.comments.map(\.rawValue).joined() ?? ""
    #expect(text.contains("`FactorKey`") && text.contains("FactorKey.testValue"))
    await store.receive(.loaded(1)) { $0 = 1 }
  }
}

private enum Action: Equatable, Sendable {
  case add, child, load, loaded(Int), derived
}

private enum StepKey: DependencyKey { static var defaultValue: Int { 5 } }
private enum FactorKey: DependencyKey { static var defaultValue: Int { 1 } }
private enum DoubledKey: DependencyKey {
  static var defaultValue: Int { DependencyScope.current.step * 2 }
}

extension Dependencies {
  fileprivate var step: Int {
    get { self[StepKey.self] }
    set { self[StepKey.self] = newValue }
  }
  fileprivate var factor: Int {
    get { self[FactorKey.self] }
    set { self[FactorKey.self] = newValue }
  }
  fileprivate var doubled: Int { self[DoubledKey.self] }
}

private struct Child: ComposableEnvironment {
  let scope = DependencyScope.current
  @Dependency(\.step) var step
}

private struct Parent: ComposableEnvironment {
  let scope = DependencyScope.current
  @Dependency(\.step) var step
  @Dependency(\.factor) var factor
  @Dependency(\.doubled) var doubled
  @DerivedEnvironment<Child> var child
}

private let parent = Reducer<Int, Action, Parent> { state, action, environment in
  switch action {
  case .add: state += environment.step
  case .child: state += environment.child.step
  case .load:
    return .run { send in await send(.loaded(environment.step * environment.factor)) }
  case .loaded(let number): state = number
  case .derived: state = environment.doubled
  }
  return .none
}
