import StandardDependencies

/// Makes programs from seeds.
struct Generator {
  static let keyCount = 5
  /// Opens only when it is cancelled, so it is used only where that happens.
  static let stuckKey = 4

  private var random: SplitMix64
  private var budget = 24

  static func program(seed: UInt64) -> Program {
    var generator = Generator(random: SplitMix64(seed: seed))
    return generator.program()
  }

  private mutating func program() -> Program {
    let resources = (0..<Self.keyCount).map { resource($0) }
    let global = Set((0..<Self.keyCount).filter { _ in chance(6) && chance(50) })
    return Program(resources: resources, global: global, body: steps(depth: 0, isCancelled: false))
  }

  private mutating func resource(_ key: Int) -> ResourceSpec {
    var spec = ResourceSpec()
    spec.yields = number(4)
    if key == Self.stuckKey {
      spec.opening = .neverEnds
      return spec
    }
    // Mostly earlier keys, because a cycle fails everything.
    let others = chance(8) ? Array(0..<Self.stuckKey) : Array(0..<key)
    spec.needs = others.filter { _ in chance(40) }
    spec.needsSideBySide = chance(40)
    if chance(10) { spec.opening = .fails }
    spec.running = chance(8) ? .fails : chance(40) ? .untilCancelled : .nothing
    return spec
  }

  private mutating func steps(depth: Int, isCancelled: Bool) -> [Step] {
    var steps: [Step] = []
    for _ in 0..<1 + number(3) {
      if budget <= 0 { break }
      budget -= 1
      steps.append(step(depth: depth, isCancelled: isCancelled))
    }
    return steps
  }

  private mutating func step(depth: Int, isCancelled: Bool) -> Step {
    let keys = Self.keyCount - (isCancelled ? 0 : 1)
    if depth < 5, chance(depth < 2 ? 75 : 45) {
      switch number(12) {
      case 0...5:
        let listed = (0..<keys).filter { _ in chance(35) }
        return .lifetime(listed, steps(depth: depth + 1, isCancelled: isCancelled))
      case 6:
        return .override(number(keys), steps(depth: depth + 1, isCancelled: isCancelled))
      case 7, 8:
        return .group(
          (0..<2 + number(2)).map { _ in steps(depth: depth + 1, isCancelled: isCancelled) })
      case 9:
        return .attempt(steps(depth: depth + 1, isCancelled: isCancelled))
      default:
        return .cancelled(after: number(30), steps(depth: depth + 1, isCancelled: true))
      }
    }
    switch number(12) {
    case 0...3: return .read(number(keys))
    case 4...7: return .open(number(keys))
    case 8, 9: return .rush(number(Self.keyCount - 1), tasks: 2 + number(4))
    case 10: return chance(30) ? .fail : .untilCancelled
    default: return .yield(number(5))
    }
  }

  private mutating func number(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &random) }

  private mutating func chance(_ percent: Int) -> Bool { number(100) < percent }
}
