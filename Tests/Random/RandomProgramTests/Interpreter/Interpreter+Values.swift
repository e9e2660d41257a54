extension Interpreter {
  /// Records the reads of a step.
  func read(_ step: Step, _ used: [ModelValue], _ at: inout Position) {
    switch (step.operation, used.first) {
    case (.readComputed, _):
      expect(readBlend(in: at.scope, &at), step, 0, at)
    case (.readDeclared, .declared(let key, let scope)):
      expect(read(key, in: scope, &at), step, 0, at)
    case (.readEnvironment, .environment(let environment)):
      read(step, derived(step.slots, of: environment, &at), &at)
    case (.stream, let scope):
      // The sequence has two elements.
      for (index, key) in (step.keys + step.keys).enumerated() {
        expect(read(key, in: scope?.scope ?? at.scope, &at), step, index, at)
      }
    case (.read, let scope), (.readScope, let scope):
      for (index, key) in step.keys.enumerated() {
        expectRecorded(key, in: scope?.scope ?? at.scope, step, index, &at)
      }
    case (_, let scope):
      for (index, key) in step.keys.enumerated() {
        expect(read(key, in: scope?.scope ?? at.scope, &at), step, index, at)
      }
    }
  }

  /// Returns the value of the variable that a step defines.
  func value(_ step: Step, _ used: [ModelValue], _ at: inout Position) -> ModelValue {
    switch step.operation {
    case .capture: .scope(at.scope)
    case .derive:
      .scope(overriding(used[0].scope!, step.changes, place: .step(step.id), &at))
    case .isolated: .scope(ModelScope(store: makeStore(usesTestValues: step.variant == 1)))
    case .declare: .declared(key: step.keys[0], at.scope)
    case .bind, .bindAsync, .bindOnMain:
      .closure(
        ModelClosure(
          body: step.blocks[0], scope: used.first?.scope ?? at.scope, variables: at.variables,
          isThrowing: step.variant == 1))
    case .makeEnvironment: .environment(make(EnvironmentType(rawValue: step.variant)!, &at))
    default: .environment(environment(step, used.map { $0.environment! }, &at))
    }
  }

  private func environment(
    _ step: Step, _ used: [ModelEnvironment], _ at: inout Position
  ) -> ModelEnvironment {
    var environment = used[0]
    switch step.operation {
    case .overrideEnvironment, .setInEnvironment:
      return setting(step.changes, on: environment, &at)
    case .derivedEnvironment:
      return derived(step.slots, of: environment, &at)
    case .overrideDerived:
      return replacing(step.slots[...], of: environment, &at) { child, at in
        setting(step.changes, on: child, &at)
      }
    case .assignDerived:
      environment.given[step.slots[0]] = used[1]
      return environment
    case .storeInEnvironment:
      environment.stored = step.variant
      return environment
    default:
      preconditionFailure("\(step.operation) makes no environment")
    }
  }
}
