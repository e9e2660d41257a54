import ComposableDependencies
import DependencyDebugging
import Dispatch
import TestSupport

/// Runs programs on the library, with real tasks, actors and queues.
struct Runner: Sendable {
  /// Whether the stores of the program record.
  var isRecorded = false
  let tokens = AliveCounter()
  let queue = DispatchQueue(label: "random program")

  /// Returns the values of every read of a program.
  func observations(of program: Program) async -> [(id: ReadID, value: Int)] {
    let scope = program.usesProcessStore ? DependencyScope.root : isolated()
    var state = RunState()
    await scope.run {
      state = await runTask(program.steps, state).state
      while !state.tasks.isEmpty {
        let tasks = state.tasks
        state.tasks = []
        for task in tasks { state.join(await task.value) }
      }
    }
    if program.usesProcessStore {
      DependencyScope.root.run {
        Dependencies.resetGlobalValues()
        Dependencies.clearGlobalAliases()
      }
    }
    return state.observations
  }

  /// Returns a scope over a new store.
  func isolated(usingTestValues: Bool = false) -> DependencyScope {
    let scope = DependencyScope.isolated(
      usingTestValues: usingTestValues, recordingPlaces: isRecorded)
    if isRecorded { ReadLog.listen(to: scope) }
    return scope
  }

  func runTask(_ steps: [Step], _ start: RunState) async -> Outcome {
    var state = start
    do {
      try await runAsync(steps, &state)
      return Outcome(state: state, hasThrown: false)
    } catch {
      return Outcome(state: state, hasThrown: true)
    }
  }

  func runCall(_ steps: [Step], _ start: RunState) -> Outcome {
    var state = start
    do {
      try run(steps, &state)
      return Outcome(state: state, hasThrown: false)
    } catch {
      return Outcome(state: state, hasThrown: true)
    }
  }

  func run(_ steps: [Step], _ state: inout RunState) throws(Thrown) {
    for step in steps {
      if let used = used(by: step, state) { try run(step, used, &state) }
    }
  }

  func runAsync(_ steps: [Step], _ state: inout RunState) async throws(Thrown) {
    for step in steps {
      guard let used = used(by: step, state) else { continue }
      if step.operation.isAsync {
        try await runAsync(step, used, &state)
      } else {
        try run(step, used, &state)
      }
    }
  }

  private func used(by step: Step, _ state: RunState) -> [RunValue]? {
    var used: [RunValue] = []
    for variable in step.uses {
      guard let value = state.variables[variable] else { return nil }
      used.append(value)
    }
    return used
  }

  /// Makes the changes of a step.
  func changes(of step: Step) -> @Sendable (inout Dependencies) -> Void {
    { dependencies in
      for change in step.changes {
        let value = change.isIncrement ? dependencies[Key.all[change.key]] : 0
        dependencies.set(
          path(change.key, step.variant), value + change.value, countedBy: tokens)
      }
    }
  }

  /// Returns a key path of a key, by its name if it has one and the variant asks for it.
  func path(_ key: Int, _ variant: Int) -> Key.Path {
    variant & 1 == 1 && key < Key.named.count ? Key.named[key] : Key.all[key].path
  }
}

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
  case closure(@Sendable (_ path: UInt64) -> Outcome, isThrowing: Bool)
  case task(Task<Outcome, Never>)

  var scope: DependencyScope? { if case .scope(let scope) = self { scope } else { nil } }

  var environment: (any TestEnvironment)? {
    if case .environment(let environment) = self { environment } else { nil }
  }
}
