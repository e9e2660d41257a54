import ComposableReducers

struct Level1State: Equatable {
  var first = Level2State()
  var second = Level2State()
}

enum Level1Action {
  case first(Level2Action)
  case second(Level2Action)

  static let toFirst = CasePath(Self.first) {
    if case .first(let action) = $0 { action } else { nil }
  }
  static let toSecond = CasePath(Self.second) {
    if case .second(let action) = $0 { action } else { nil }
  }
}

/// An environment that reads nothing itself, and overrides a dependency for one of its children.
struct Level1Environment: ComposableEnvironment {
  let scope = DependencyScope.current

  // This override applies only to this child; `$0` is read in the parent's scope.
  @DerivedEnvironment var second = Level2Environment().with {
    $0.randomNumber = $0.randomNumber.dice
  }
}

/// Two features of the same kind, one of which uses dice.
let level1Reducer = Reducer<Level1State, Level1Action, Level1Environment>.combine(
  // Without an `environment:`, one is created in the parent's scope.
  level2Reducer.pullback(state: \.first, action: Level1Action.toFirst),

  // With one, its override applies to the reducer and its effects, whatever code sends the action.
  level2Reducer.pullback(state: \.second, action: Level1Action.toSecond, environment: \.second)
)
