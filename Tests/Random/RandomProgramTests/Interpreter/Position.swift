/// The position of a run in a program: everything that is passed along explicitly.
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

  /// Continues after a task or a call that has ended.
  mutating func join(_ ended: Position) {
    past.formUnion(ended.past)
    for (variable, value) in ended.exports { define(variable, value) }
  }

  /// The start of a task or a call.
  func child(in scope: ModelScope) -> Position {
    Position(scope: scope, variables: variables, past: past, path: path)
  }
}

/// The value of a variable.
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

/// The error that a program throws.
struct Thrown: Error {}
