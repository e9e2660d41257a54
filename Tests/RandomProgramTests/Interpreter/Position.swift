/// Where a run of a program is: what is passed along, instead of being found.
struct Position {
  var scope: ModelScope
  var variables: [Int: ModelValue] = [:]
  /// The variables that were defined since the task or call began.
  var exports: [Int: ModelValue] = [:]
  var past = Past()
  var path: UInt64 = 0

  mutating func define(_ variable: Int?, _ value: ModelValue) {
    guard let variable else { return }
    variables[variable] = value
    exports[variable] = value
  }

  /// Goes on after a task or a call that has ended.
  mutating func join(_ ended: Position) {
    past.formUnion(ended.past)
    for (variable, value) in ended.exports { define(variable, value) }
  }

  /// Where a task begins, or a call.
  func child(in scope: ModelScope) -> Position {
    Position(scope: scope, variables: variables, past: past, path: path)
  }
}

/// What a variable holds.
enum ModelValue {
  case scope(ModelScope)
  case declared(key: Int, ModelScope)
  case environment(ModelEnvironment)
  case closure(ModelClosure)
  case task(Position)
}

struct ModelClosure {
  let body: [Step]
  let scope: ModelScope
  let variables: [Int: ModelValue]
  let isThrowing: Bool
}

/// What a program throws.
struct Thrown: Error {}
