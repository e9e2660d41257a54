import ComposableReducers

/// A store of either kind.
enum Subject: Sendable {
  case store(Store<Node, Act>)
  case observable(ObservableStore<Node, Act>)

  /// Creates a store in the current scope.
  static func make(_ spec: StoreSpec, _ number: Int, _ world: World) async -> Subject {
    switch spec.root.kind {
    case .composable:
      var environment = ComposableFeature()
      environment.child = environment.child.overriding(spec.childOverrides)
      return await make(environment, spec, number, world)
    case .global:
      var environment = GlobalFeature()
      environment.child = environment.child.overriding(spec.childOverrides)
      return await make(environment, spec, number, world)
    case .plain:
      return await make(PlainFeature(), spec, number, world)
    }
  }

  private static func make<Environment: TreeEnvironment>(
    _ environment: Environment, _ spec: StoreSpec, _ number: Int, _ world: World
  ) async -> Subject {
    let state = Node(spec.root, life: Life { world.journal.record(.gone(store: number)) })
    let reducer: Reducer<Node, Act, Environment> = world.reducer(
      spec.root, isRoot: true, store: number)
    if spec.isObservable {
      return .observable(
        await ObservableStore(initialState: state, reducer: reducer, environment: environment))
    }
    return .store(Store(initialState: state, reducer: reducer, environment: environment))
  }

  func send(_ act: Act) async -> StoreTask {
    switch self {
    case .store(let store): await store.send(act)
    case .observable(let store): await store.send(act)
    }
  }

  /// Waits until the store has reduced its action and started the effects.
  func settle() async {
    switch self {
    case .store(let store): _ = await store.state
    case .observable(let store): _ = await store.state
    }
  }

  var summary: String {
    get async {
      switch self {
      case .store(let store): await store.state.summary
      case .observable(let store): await store.state.summary
      }
    }
  }

  var object: any AnyObject & Sendable {
    switch self {
    case .store(let store): store
    case .observable(let store): store
    }
  }
}
