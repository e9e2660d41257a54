import ComposableReducers
import StandardDependencies

struct Level0State: Equatable {
  var isReady = false
  var level1 = Level1State()
}

enum Level0Action {
  case start
  case becameReady
  case level1(Level1Action)

  static let toLevel1 = CasePath(Self.level1) {
    if case .level1(let action) = $0 { action } else { nil }
  }
}

/// An environment that declares a dependency, and derives a child's environment without overrides.
struct Level0Environment: ComposableEnvironment {
  let scope = DependencyScope.current
  @Dependency(\.continuousClock) var clock
  @DerivedEnvironment<Level1Environment> var level1
}

/// The whole program, which takes a while to become ready.
let level0Reducer = Reducer<Level0State, Level0Action, Level0Environment>.combine(
  level1Reducer.pullback(state: \.level1, action: Level0Action.toLevel1, environment: \.level1),

  Reducer { state, action, environment in
    switch action {
    case .start:
      return .run { send in
        try await environment.clock.sleep(for: .milliseconds(300))
        await send(.becameReady)
      }
    case .becameReady:
      state.isReady = true
      return .none
    case .level1:
      return .none
    }
  }
)
