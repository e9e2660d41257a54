extension Interpreter {
  /// The scope of an environment: its parent's, with the environment's own overrides on top.
  func scope(of environment: ModelEnvironment, _ at: inout Position) -> ModelScope {
    var scope = environment.base
    if environment.isDerived {
      scope = overriding(scope, environment.own, &at)
    } else {
      for change in environment.own {
        scope.overrides[change.key] = change.value
        scope.places[change.key] = .elsewhere
        scope.settings[change.key] = nil
      }
    }
    // Whether it is the override of before is for the environments' own tests.
    for (key, setting) in scope.settings where setting != environment.base.settings[key] {
      scope.settings[key] = nil
    }
    return scope
  }

  func make(_ type: EnvironmentType, _ at: inout Position) -> ModelEnvironment {
    let environment = ModelEnvironment(type: type, base: at.scope)
    declareAliases(of: environment, &at)
    return environment
  }

  /// Aliases are registered whenever the environment that declares them is created or recreated.
  private func declareAliases(of environment: ModelEnvironment, _ at: inout Position) {
    guard environment.type.declaresAlias else { return }
    let (key, target) = (EnvironmentType.aliasedKey, EnvironmentType.aliasTarget)
    if alias(key, to: target, in: environment.base.store, &at) {
      objection = "a declared alias closes a cycle"
    }
  }

  func setting(
    _ changes: [Change], on environment: ModelEnvironment, _ at: inout Position
  ) -> ModelEnvironment {
    var environment = environment
    for change in changes {
      let store = environment.base.store
      record(.access, in: store, &at)
      for member in classes(in: store, at.past).members(of: change.key) {
        environment.own.removeAll { $0.key == member }
        environment.own.append(Change(key: member, value: change.value))
      }
      declareAliases(of: environment, &at)
    }
    return environment
  }

  func derived(
    _ slots: some Sequence<Int>, of environment: ModelEnvironment, _ at: inout Position
  ) -> ModelEnvironment {
    var environment = environment
    for slot in slots {
      let declaration = environment.type.slots[slot]
      var child =
        environment.given[slot]
        ?? ModelEnvironment(
          type: declaration.type, base: .root, own: declaration.changes, stored: declaration.stored)
      child.base = scope(of: environment, &at)
      child.isDerived = true
      checkAliases(of: child, below: environment, &at)
      environment = child
    }
    return environment
  }

  /// Objects to an alias that may be younger than the derived environment, which was created when it
  /// was first read.
  private func checkAliases(
    of child: ModelEnvironment, below parent: ModelEnvironment, _ at: inout Position
  ) {
    var known = Set(child.own.map(\.key))
    if parent.type.declaresAlias {
      known.formUnion([EnvironmentType.aliasedKey, EnvironmentType.aliasTarget])
    }
    for change in child.own
    where !known.isSuperset(of: members(of: change.key, in: child.base.store, at.past)) {
      objection = "an environment's own override may be older than an alias of its key"
    }
  }

  /// The environment with a changed derived environment, at any depth.
  func replacing(
    _ slots: ArraySlice<Int>, of environment: ModelEnvironment, _ at: inout Position,
    with change: (ModelEnvironment, inout Position) -> ModelEnvironment
  ) -> ModelEnvironment {
    guard let slot = slots.first else { return change(environment, &at) }
    let child = derived([slot], of: environment, &at)
    var environment = environment
    environment.given[slot] = replacing(slots.dropFirst(), of: child, &at, with: change)
    return environment
  }

  func read(_ step: Step, _ environment: ModelEnvironment, _ at: inout Position) {
    let own = scope(of: environment, &at)
    for (index, key) in environment.type.declared.enumerated() {
      expect(read(key, in: own, &at), step, index, at)
    }
    for (index, key) in step.keys.enumerated() {
      let scope = environment.type == .settings ? at.scope : own
      expect(read(key, in: scope, &at), step, 100 + index, at)
    }
    if environment.type != .settings { expect([environment.stored], step, -1, at) }
  }
}

/// An environment: the scope below it, and its own overrides.
struct ModelEnvironment {
  let type: EnvironmentType
  /// Its parent's scope, or the scope that created it.
  var base: ModelScope
  var own: [Change] = []
  /// Whether its own overrides were set again when it was derived, for the keys aliased by then.
  var isDerived = false
  var stored = 0
  /// The derived environments that were assigned to it, by slot.
  var given: [Int: ModelEnvironment] = [:]
}
