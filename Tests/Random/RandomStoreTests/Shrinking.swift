import TestSupport

extension Program {
  /// Programs without a half of the operations, a quarter, …; and programs with a smaller part.
  var smaller: [Program] {
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
    return programs
      + operations.indices.flatMap { changed(self, \.operations[$0], to: operations[$0].smaller) }
      + stores.indices.flatMap { changed(self, \.stores[$0], to: stores[$0].smaller) }
  }
}

extension StoreSpec {
  fileprivate var smaller: [StoreSpec] {
    changed(self, \.isObservable, to: isObservable ? [false] : [])
      + changed(self, \.surroundings, to: surroundings.isEmpty ? [] : [[:]])
      + changed(self, \.childOverrides, to: childOverrides.isEmpty ? [] : [[:]])
  }
}

extension Operation {
  fileprivate var smaller: [Operation] {
    switch self {
    case .send(let store, let path, let action, let from):
      action.smaller.map { .send(store: store, path: path, $0, from: from) }
        + (from.isEmpty ? [] : [.send(store: store, path: path, action, from: [:])])
    case .open(let pick) where pick > 0: [.open(0), .open(pick / 2), .open(pick - 1)]
    case .cancelTask(let pick) where pick > 0: [.cancelTask(0), .cancelTask(pick / 2)]
    case .finish(let pick) where pick > 0: [.finish(0), .finish(pick / 2)]
    default: []
    }
  }
}

extension ActionSpec {
  fileprivate var smaller: [ActionSpec] {
    changed(self, \.effect, to: effect.smaller)
      + changed(self, \.echo, to: echo.smaller)
      + changed(self, \.toggledChild, to: toggledChild == nil ? [] : [nil])
  }
}

extension SentAction {
  fileprivate var smaller: [SentAction] { changed(self, \.action, to: action.smaller) }
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

extension [EffectSpec] {
  /// Whether it sends nothing when it starts, except for actions that may be sent at any time.
  fileprivate var startsByWaiting: Bool {
    switch first(where: { !$0.isInstantaneous && !$0.isRacingAction }) {
    case .run(let run): !run.steps.isEmpty
    default: false
    }
  }

  /// All marks stay.
  fileprivate var smaller: [[EffectSpec]] {
    let marks = count(where: \.isMark)
    return shortened { $0.isMark ? [] : $0.smaller }.filter { $0.count(where: \.isMark) >= marks }
  }
}

extension RunSpec {
  fileprivate var smaller: [RunSpec] {
    changed(self, \.caught, to: caught == nil ? [] : [nil])
      + changed(self, \.isStubborn, to: isStubborn ? [false] : [])
      + changed(self, \.steps, to: steps.shortened(\.smaller).filter { !$0.isEmpty })
  }
}

extension RunSpec.Step {
  fileprivate var smaller: [RunSpec.Step] {
    changed(self, \.isOvertaken, to: isOvertaken ? [false] : [])
      + (action.map { changed(self, \.action, to: [nil] + $0.smaller) } ?? [])
  }
}
