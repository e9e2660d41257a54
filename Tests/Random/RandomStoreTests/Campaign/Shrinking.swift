extension Program {
  /// Shrinks the program as long as it still fails.
  func shrunk(
    for duration: Duration, while fails: (Program) async -> Bool
  ) async -> Program {
    let end = ContinuousClock.now + duration
    var smallest = self
    var isSmaller = true
    while isSmaller {
      isSmaller = false
      for candidate in smallest.smaller where .now < end {
        guard await fails(candidate) else { continue }
        smallest = candidate
        isSmaller = true
        break
      }
    }
    return smallest
  }

  /// Programs that are slightly smaller than this one, the smallest first.
  private var smaller: [Program] {
    var programs: [Program] = []
    var length = operations.count / 2
    while length > 0 {
      for start in stride(from: 0, to: operations.count, by: length) {
        var program = self
        program.operations.removeSubrange(start..<min(start + length, operations.count))
        programs.append(program)
      }
      length /= 2
    }
    for (number, operation) in operations.enumerated() {
      for smaller in operation.smaller {
        var program = self
        program.operations[number] = smaller
        programs.append(program)
      }
    }
    for (number, spec) in stores.enumerated() {
      for smaller in spec.smaller {
        var program = self
        program.stores[number] = smaller
        programs.append(program)
      }
    }
    return programs
  }
}

extension StoreSpec {
  fileprivate var smaller: [StoreSpec] {
    var specs: [StoreSpec] = []
    func append(_ change: (inout StoreSpec) -> Void) {
      var spec = self
      change(&spec)
      specs.append(spec)
    }
    if isObservable { append { $0.isObservable = false } }
    if !surroundings.isEmpty { append { $0.surroundings = [:] } }
    if !childOverrides.isEmpty { append { $0.childOverrides = [:] } }
    return specs
  }
}

extension Operation {
  fileprivate var smaller: [Operation] {
    switch self {
    case .send(let store, let path, let action, let from):
      var operations = action.smaller.map {
        Operation.send(store: store, path: path, $0, from: from)
      }
      if !from.isEmpty { operations.append(.send(store: store, path: path, action, from: [:])) }
      return operations
    case .open(let pick) where pick > 0: return [.open(0), .open(pick / 2), .open(pick - 1)]
    case .cancelTask(let pick) where pick > 0: return [.cancelTask(0), .cancelTask(pick / 2)]
    case .finish(let pick) where pick > 0: return [.finish(0), .finish(pick / 2)]
    default: return []
    }
  }
}

extension ActionSpec {
  fileprivate var smaller: [ActionSpec] {
    var actions: [ActionSpec] = []
    func append(_ change: (inout ActionSpec) -> Void) {
      var action = self
      change(&action)
      actions.append(action)
    }
    if effect.isSomething, echo.isSomething { append { $0.effect = .none } }
    if echo.isSomething { append { $0.echo = .none } }
    if toggledChild != nil { append { $0.toggledChild = nil } }
    for smaller in effect.smaller { append { $0.effect = smaller } }
    for smaller in echo.smaller { append { $0.echo = smaller } }
    return actions
  }
}

extension SentAction {
  fileprivate var smaller: [SentAction] {
    action.smaller.map { SentAction(path: path, action: $0) }
  }
}

extension EffectSpec {
  /// Whether it marks the end of a previous step.
  fileprivate var isMark: Bool {
    if case .run(let run) = self { run.steps.isEmpty } else { false }
  }

  fileprivate var isRacingAction: Bool {
    if case .send(let sent) = self { sent.action.isRacing } else { false }
  }

  fileprivate var smaller: [EffectSpec] {
    guard isSomething else { return [] }
    return [.none] + smallerParts
  }

  private var smallerParts: [EffectSpec] {
    switch self {
    case .none, .cancel: []
    case .send(let action): action.smaller.map { .send($0) }
    case .run(let run): run.smaller.map { .run($0) }
    case .merge(let effects):
      effects.smaller.map { .merge($0) } + (effects.contains(where: \.isMark) ? [] : effects)
    case .concatenate(let effects):
      effects.smaller.filter(\.startsByWaiting).map { .concatenate($0) }
    case .map(let effect): [effect] + effect.smaller.map { .map($0) }
    case .cancellable(let effect, let id, let cancelInFlight):
      [effect] + effect.smaller.map { .cancellable($0, id: id, cancelInFlight: cancelInFlight) }
    case .debounce(let effect, let id): effect.smallerParts.map { .debounce($0, id: id) }
    case .throttle(let effect, let id, let latest):
      effect.smallerParts.map { .throttle($0, id: id, latest: latest) }
    }
  }
}

extension [EffectSpec] {
  /// Whether it sends nothing when it starts, except for actions that may be sent at any time.
  fileprivate var startsByWaiting: Bool {
    switch first(where: { !$0.isInstantaneous && !$0.isRacingAction }) {
    case .run(let run): !run.steps.isEmpty
    default: false
    }
  }

  fileprivate var smaller: [[EffectSpec]] {
    var lists: [[EffectSpec]] = []
    for number in indices where !self[number].isMark {
      var list = self
      list.remove(at: number)
      lists.append(list)
      for smaller in self[number].smaller {
        list = self
        list[number] = smaller
        lists.append(list)
      }
    }
    return lists
  }
}

extension RunSpec {
  fileprivate var smaller: [RunSpec] {
    var runs: [RunSpec] = []
    func append(_ change: (inout RunSpec) -> Void) {
      var run = self
      change(&run)
      runs.append(run)
    }
    if caught != nil { append { $0.caught = nil } }
    if isStubborn { append { $0.isStubborn = false } }
    for number in steps.indices {
      if steps.count > 1 { append { $0.steps.remove(at: number) } }
      if steps[number].hop != .none { append { $0.steps[number].hop = .none } }
      if steps[number].isOvertaken { append { $0.steps[number].isOvertaken = false } }
      if let action = steps[number].action {
        append { $0.steps[number].action = nil }
        for smaller in action.smaller { append { $0.steps[number].action = smaller } }
      }
    }
    return runs
  }
}

extension EffectSpec {
  /// Whether it ends as soon as it starts.
  fileprivate var isInstantaneous: Bool {
    switch self {
    case .none, .send, .cancel: true
    case .merge(let effects), .concatenate(let effects): effects.allSatisfy(\.isInstantaneous)
    case .map(let effect), .cancellable(let effect, _, _): effect.isInstantaneous
    case .run, .debounce, .throttle: false
    }
  }
}
