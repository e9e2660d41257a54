import ComposableEnvironment

extension Runner {
  func read(_ step: Step, _ used: [RunValue], _ state: inout RunState) {
    switch (step.operation, used.first) {
    case (.readComputed, _):
      state.observe(DependencyScope.current.blend, step, 0)
    case (.readDeclared, .declared(let declared)):
      state.observe(declared.value, step, 0)
    case (.readEnvironment, .environment(let environment)):
      read(step, environment.derived(step.slots), &state)
    case (.readThroughGlobal, _):
      for (index, key) in step.keys.enumerated() {
        let value = Settings().value(path(key, step.variant), byMember: step.variant & 2 == 0)
        state.observe(value, step, index)
      }
    case (.read, let used), (.readScope, let used):
      for (index, key) in step.keys.enumerated() {
        let scope = used?.scope ?? .current
        readRecorded(key, in: scope, step, index, &state) { read(key, in: scope, step.variant) }
      }
    case (_, let scope):
      for (index, key) in step.keys.enumerated() {
        state.observe(read(key, in: scope?.scope ?? .current, step.variant), step, index)
      }
    }
  }

  /// Reads a key in one of many ways.
  private func read(_ key: Int, in scope: DependencyScope, _ variant: Int) -> Int {
    let path = path(key, variant)
    switch variant >> 1 {
    case 1:
      return scope.run { Declared(path).value }
    case 2:
      return scope.run { Key.all[key].declareByType().value }
    case 3:
      var value = 0
      _ = scope.with { value = $0[Key.all[key]] }
      return value
    case 4:
      return switch path {
      case .number(let keyPath): scope[dynamicMember: keyPath]
      case .object(let keyPath): scope[dynamicMember: keyPath].number
      }
    case 5:
      return Key.all[key].readByType(scope)
    default:
      return scope[path]
    }
  }

  private func read(_ step: Step, _ environment: any TestEnvironment, _ state: inout RunState) {
    for (index, value) in environment.declared.enumerated() { state.observe(value, step, index) }
    for (index, key) in step.keys.enumerated() {
      let path = path(key, step.variant)
      let value = environment.value(path, byMember: step.variant & 2 == 0)
      state.observe(value, step, 100 + index)
    }
    if let environment = environment as? any ComposableTestEnvironment {
      state.observe(environment.stored, step, -1)
    }
  }

  /// Returns the scope on the other side of a carrier.
  func carry(_ step: Step, _ used: [RunValue]) -> DependencyScope {
    let carrier = Carrier(rawValue: step.variant % Carrier.allCases.count)!
    return step.keys.reduce(used.first?.scope ?? .current) { scope, key in
      Key.all[key].carry?(carrier, .current, scope) ?? scope
    }
  }

  /// Returns the value of the variable that a step defines.
  func value(_ step: Step, _ used: [RunValue], _ state: RunState) -> RunValue {
    switch step.operation {
    case .capture:
      return .scope(.current)
    case .isolated:
      return .scope(isolated(usingTestValues: step.variant == 1))
    case .declare:
      let declaresByType = step.variant & 2 == 2
      let key = step.keys[0]
      return .declared(
        declaresByType ? Key.all[key].declareByType() : Declared(path(key, step.variant)))
    case .derive:
      return .scope(derive(step, used[0].scope!))
    case .bind, .bindAsync, .bindOnMain:
      return bind(step, used.first?.scope ?? .current, state)
    case .makeEnvironment:
      return .environment(EnvironmentType(rawValue: step.variant)!.make())
    default:
      return .environment(environment(step, used.map { $0.environment! }))
    }
  }

  private func derive(_ step: Step, _ scope: DependencyScope) -> DependencyScope {
    if step.variant & 2 == 0 {
      return scope.with(
        { for change in step.changes { set(change, &$0, step.variant) } },
        fileID: "Program", line: UInt(step.id))
    }
    return step.changes.reduce(scope) { scope, change in
      let path = path(change.key, step.variant)
      let value = (change.isIncrement ? scope[path] : 0) + change.value
      return switch path {
      case .number(let keyPath): scope.with(keyPath, value, fileID: "Program", line: UInt(step.id))
      case .object(let keyPath):
        scope.with(
          keyPath, Token(value, countedBy: tally), fileID: "Program", line: UInt(step.id))
      }
    }
  }

  private func environment(
    _ step: Step, _ used: [any TestEnvironment]
  ) -> any TestEnvironment {
    var environment = used[0]
    switch step.operation {
    case .overrideEnvironment, .setInEnvironment:
      return setting(step, on: environment)
    case .derivedEnvironment:
      return environment.derived(step.slots)
    case .overrideDerived:
      environment.updateDerived(step.slots[...]) { setting(step, on: $0) }
      return environment
    case .assignDerived:
      environment.updateDerived(step.slots[...]) { _ in used[1] }
      return environment
    case .storeInEnvironment:
      var composable = environment as! any ComposableTestEnvironment
      composable.stored = step.variant
      return composable
    default:
      preconditionFailure("\(step.operation) makes no environment")
    }
  }

  private func setting(_ step: Step, on environment: any TestEnvironment) -> any TestEnvironment {
    let environment = environment as! any ComposableTestEnvironment
    if step.operation == .overrideEnvironment, step.variant & 2 == 2 {
      return environment.with {
        for change in step.changes { set(change, &$0, step.variant) }
      }
    }
    return step.changes.reduce(environment) { environment, change in
      environment.setting(
        path(change.key, step.variant), change.value, countedBy: tally,
        inPlace: step.operation != .overrideEnvironment)
    }
  }
}
