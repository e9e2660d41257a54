import ComposableDependencies

/// The state of a run apart from its scope: the reads, and the variables.
struct RunState: Sendable {
  var observations: [(id: ReadID, value: Int)] = []
  var variables: [Int: RunValue] = [:]
  /// The variables that were defined since the task or call began.
  var exports: [Int: RunValue] = [:]
  /// Tasks that don't need to be awaited.
  var tasks: [Task<Outcome, Never>] = []
  var path: UInt64 = 0

  mutating func define(_ variable: Int?, _ value: RunValue) {
    guard let variable else { return }
    variables[variable] = value
    exports[variable] = value
  }

  mutating func observe(_ value: Int, _ step: Step, _ index: Int) {
    observations.append((ReadID(path: path, step: step.id, index: index), value))
  }

  /// Continues after a call, or a task that nothing else awaits.
  mutating func join(_ outcome: Outcome) {
    observations += outcome.state.observations
    tasks += outcome.state.tasks
    adoptVariables(of: outcome)
  }

  mutating func adoptVariables(of outcome: Outcome) {
    for (variable, value) in outcome.state.exports { define(variable, value) }
  }

  /// The path of the code that a step calls.
  func path(calling step: Step) -> UInt64 { ReadID.path(path, calling: step) }

  /// The start of a task or a call.
  var child: RunState { RunState(variables: variables, path: path) }
}

/// The end of a task or a call.
struct Outcome: Sendable {
  var state: RunState
  var hasThrown: Bool
}

/// An end by throwing; the error carries the reads.
struct ThrownOutcome: Error {
  var outcome: Outcome
}

/// The value of a variable.
enum RunValue: Sendable {
  case scope(DependencyScope)
  case declared(Declared)
  case environment(any TestEnvironment)
  case closure(@Sendable (RunState) -> Outcome, isThrowing: Bool)
  case asyncClosure(@Sendable (RunState) async -> Outcome, isThrowing: Bool)
  case mainClosure(@MainActor @Sendable (RunState) -> Outcome, isThrowing: Bool)
  case task(Task<Outcome, Never>)

  var scope: DependencyScope? { if case .scope(let scope) = self { scope } else { nil } }

  var environment: (any TestEnvironment)? {
    if case .environment(let environment) = self { environment } else { nil }
  }
}
