/// One way to make a step smaller.
enum Edit: CaseIterable {
  case remove
  /// Replaces a step with its blocks.
  case unwrap, unwrapFirst, unwrapLast
  case dropFirstHalfOfChanges, dropSecondHalfOfChanges, dropFirstChange
  case dropFirstKey, dropLastKey
  case dropFirstBlock, dropLastBlock
  case shortenSlots, makeConstant
  case simplify

  /// The replacement of a step; `nil` if the edit doesn't make it smaller.
  func apply(to step: Step) -> [Step]? {
    var new = step
    let half = step.changes.count / 2
    switch self {
    case .remove:
      return []
    case .unwrap:
      return step.blocks.isEmpty ? nil : step.blocks.flatMap { $0 }
    case .unwrapFirst, .unwrapLast:
      if step.blocks.count < 2 { return nil }
      return self == .unwrapFirst ? step.blocks.first : step.blocks.last
    case .dropFirstHalfOfChanges:
      if half == 0 { return nil }
      new.changes.removeFirst(half)
    case .dropSecondHalfOfChanges:
      if half == 0 { return nil }
      new.changes.removeLast(half)
    case .dropFirstChange:
      if step.changes.count < 2 { return nil }
      new.changes.removeFirst()
    case .dropFirstKey, .dropLastKey:
      if step.keys.count < 2 || step.operation == .alias { return nil }
      if self == .dropFirstKey { new.keys.removeFirst() } else { new.keys.removeLast() }
    case .dropFirstBlock, .dropLastBlock:
      let isGroup = step.operation == .group || step.operation == .throwingGroup
      if !isGroup || step.blocks.count < 2 { return nil }
      if self == .dropFirstBlock { new.blocks.removeFirst() } else { new.blocks.removeLast() }
    case .shortenSlots:
      if step.operation != .readEnvironment || step.slots.isEmpty { return nil }
      new.slots.removeLast()
    case .makeConstant:
      guard let index = step.changes.firstIndex(where: \.isIncrement) else { return nil }
      new.changes[index].isIncrement = false
    case .simplify:
      switch step.operation {
      case .withAsync: new.operation = .with
      case .runAsync: new.operation = .run
      case .carryAsync: new.operation = .carry
      case .catchingAsync: new.operation = .catching
      case .immediateTask: new.operation = .task
      case .mainActorHop: new.operation = .actorHop
      default: return nil
      }
    }
    return [new]
  }
}

extension Program {
  /// The program with one edited step, counted from the first, including inner steps.
  private func editing(_ index: Int, _ edit: Edit) -> Program? {
    var remaining = index
    var hasChanged = false
    func editing(_ steps: [Step]) -> [Step] {
      steps.flatMap { step -> [Step] in
        if remaining < 0 { return [step] }
        remaining -= 1
        if remaining < 0 {
          guard let edited = edit.apply(to: step) else { return [step] }
          hasChanged = true
          return edited
        }
        var step = step
        step.blocks = step.blocks.map(editing)
        return [step]
      }
    }
    var program = self
    program.steps = editing(steps)
    return hasChanged ? program : nil
  }

  /// Programs with one edited step.
  var smaller: [Program] {
    (0..<stepCount).flatMap { index in Edit.allCases.compactMap { editing(index, $0) } }
      .filter(\.isWellFormed)
  }
}
