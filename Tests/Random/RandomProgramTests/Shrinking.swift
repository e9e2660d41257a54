import TestSupport

extension Program {
  var smaller: [Program] { changed(self, \.steps, to: steps.smaller).filter(\.isWellFormed) }
}

extension [Step] {
  fileprivate var smaller: [[Step]] { replacing(\.smaller) }
}

extension Step {
  /// Steps that can replace this one: none, those of its blocks, or a smaller one.
  fileprivate var smaller: [[Step]] {
    let inner = [blocks.flatMap { $0 }] + blocks
    return [[]] + (blocks.isEmpty ? [] : inner)
      + (withFewerParts + withSmallerParts).map { [$0] }
  }

  private var withFewerParts: [Step] {
    let half = changes.count / 2
    let lists = [changes.dropFirst(half), changes.dropLast(half), changes.dropFirst()]
    let mayLoseKeys = keys.count > 1 && operation != .alias
    let mayLoseBlocks = blocks.count > 1 && operation == .group
    let mayLoseSlots = !slots.isEmpty && operation == .readEnvironment
    return changed(self, \.changes, to: half > 0 ? lists.map { Array($0) } : [])
      + changed(self, \.keys, to: mayLoseKeys ? keys.shortened() : [])
      + changed(self, \.blocks, to: mayLoseBlocks ? blocks.shortened() : [])
      + changed(self, \.slots, to: mayLoseSlots ? [slots.dropLast()] : [])
  }

  private var withSmallerParts: [Step] {
    let simpler: [Operation: Operation] = [
      .withAsync: .with, .runAsync: .run, .catchingAsync: .catching,
    ]
    return changes.indices.flatMap { index in
      changed(self, \.changes[index].isIncrement, to: changes[index].isIncrement ? [false] : [])
    }
      + changed(self, \.operation, to: simpler[operation].map { [$0] } ?? [])
      + blocks.indices.flatMap { changed(self, \.blocks[$0], to: blocks[$0].smaller) }
  }
}
