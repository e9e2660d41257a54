import ComposableReducers

struct Level1State: Equatable {
  var first = Level2State()
  var second = Level2State()
}

enum Level1Action {
  case first(Level2Action)
  case second(Level2Action)
}

/// An environment that reads nothing itself, and overrides a dependency for one of its children.
struct Level1Environment: ComposableEnvironment {
  let scope = DependencyScope.current

  // What is overridden here holds for this child only; `$0` is read in the parent's scope.
  @DerivedEnvironment var second = Level2Environment().with {
    $0.randomNumber = $0.randomNumber.dice
  }
}

/// Two features of the same kind, one of which is given dice.
let level1Reducer = Reducer<Level1State, Level1Action, Level1Environment>.combine(
  // No environment is named: one is made in the parent's scope, and what `second` has is not used.
  level2Reducer.pullback(state: \.first, action: /Level1Action.first),

  // `second` is named: its override holds in the reducer and its effects, whoever sends the action.
  level2Reducer.pullback(
    state: \.second, action: /Level1Action.second, environment: \.second)
)
