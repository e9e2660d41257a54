import ComposableReducers

struct Level2State: Equatable {
  var numbers: [Int] = []
}

enum Level2Action {
  case ask
  case answer(Int)
}

/// An environment that declares what the feature needs.
struct Level2Environment: ComposableEnvironment {
  let scope = DependencyScope.current
  @Dependency(\.randomNumber) var randomNumber
}

/// A list of random numbers, which grows by one on request.
let level2Reducer = Reducer<Level2State, Level2Action, Level2Environment> {
  state, action, environment in
  switch action {
  case .ask:
    // An effect can't change the state: it sends its result as an action.
    return .run { send in
      await send(.answer(environment.randomNumber.draw(1...1000)))
    }
  case .answer(let number):
    state.numbers.append(number)
    return .none
  }
}
