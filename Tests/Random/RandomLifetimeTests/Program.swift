import TestSupport

/// Resources, and lifetimes that use them.
struct Program: Sendable {
  var resources: [ResourceSpec]
  /// The keys that are set globally before the program begins.
  var global: Set<Int>
  /// A key that is aliased to another.
  var alias: (key: Int, target: Int)?
  var body: [Step]

  /// The key that stands for all keys that are aliased to a key.
  func root(_ key: Int) -> Int {
    if let alias, alias.key == key { alias.target } else { key }
  }
}

struct ResourceSpec: Sendable {
  enum Opening: String, Sendable { case succeeds, fails, neverEnds }
  enum Running: String, Sendable { case nothing, untilCancelled, fails }

  /// The keys that `open` asks for.
  var needs: [Int] = []
  var needsSideBySide = false
  var opening = Opening.succeeds
  var running = Running.nothing
  /// How often each of its functions yields.
  var yields = 0
}

indirect enum Step: Sendable {
  case read(Int)
  case open(Int)
  case yield(Int)
  case fail
  /// Waits until a failing `run` cancels the operation, if one will.
  case untilCancelled
  case lifetime([Int], [Step])
  case override(Int, [Step])
  /// Concurrent children, all of which are awaited.
  case group([[Step]])
  /// Catches the error of its steps.
  case attempt([Step])
  /// A child that is cancelled after a number of yields.
  case cancelled(after: Int, [Step])
  /// A number of tasks that ask for one key, the first of which is cancelled.
  case rush(Int, tasks: Int)
  /// A task that nobody awaits, so it may outlive the lifetimes around it.
  case outliving([Step])
}

extension Program: CustomStringConvertible {
  var description: String {
    var lines: [String] = []
    for (key, resource) in resources.enumerated() { lines.append("  K\(key): \(resource)") }
    if let alias { lines.append("  alias K\(alias.key) to K\(alias.target)") }
    if !global.isEmpty { lines.append("  global \(names(global.sorted()))") }
    append(body, indent: "  ", to: &lines)
    return lines.joined(separator: "\n")
  }

  private func append(_ steps: [Step], indent: String, to lines: inout [String]) {
    func nested(_ title: String, _ steps: [Step]) {
      lines.append("\(indent)\(title) {")
      append(steps, indent: indent + "  ", to: &lines)
      lines.append("\(indent)}")
    }
    for step in steps {
      switch step {
      case .read(let key): lines.append("\(indent)read K\(key)")
      case .open(let key): lines.append("\(indent)open K\(key)")
      case .yield(let count): lines.append("\(indent)yield \(count)")
      case .fail: lines.append("\(indent)fail")
      case .untilCancelled: lines.append("\(indent)wait until run fails")
      case .lifetime(let keys, let steps): nested("lifetime \(names(keys))", steps)
      case .override(let key, let steps): nested("override K\(key)", steps)
      case .group(let children):
        nested("group", [])
        for child in children { nested("  child", child) }
      case .attempt(let steps): nested("attempt", steps)
      case .cancelled(let count, let steps): nested("cancelled after \(count)", steps)
      case .outliving(let steps): nested("outliving", steps)
      case .rush(let key, let tasks): lines.append("\(indent)rush K\(key) by \(tasks)")
      }
    }
  }

  private func names(_ keys: [Int]) -> String {
    keys.map { "K\($0)" }.joined(separator: ", ")
  }
}

extension ResourceSpec: CustomStringConvertible {
  var description: String {
    var parts = ["\(opening.rawValue)"]
    if running != .nothing { parts.append("runs: \(running.rawValue)") }
    if !needs.isEmpty {
      let names = needs.map { "K\($0)" }.joined(separator: ", ")
      parts.append("needs \(names)\(needsSideBySide ? " side by side" : "")")
    }
    if yields > 0 { parts.append("yields \(yields)") }
    return parts.joined(separator: ", ")
  }
}

/// Draws programs.
struct Generator: ProgramGenerator {
  static let keyCount = 5
  /// Opens only when it is cancelled, so it is used only where that happens.
  static let stuckKey = 4

  private(set) var random: Choices
  private var budget = 24

  init(_ choices: Choices) { random = choices }

  mutating func draw() -> Program {
    let resources = (0..<Self.keyCount).map { resource($0) }
    let global = Set((0..<Self.keyCount).filter { _ in random.chance(6) && random.chance(50) })
    var alias: (Int, Int)?
    if random.chance(40) {
      let key = random.number(below: Self.stuckKey)
      alias = (key, (key + 1 + random.number(below: Self.stuckKey - 1)) % Self.stuckKey)
    }
    return Program(
      resources: resources, global: global, alias: alias, body: steps(depth: 0, isCancelled: false))
  }

  private mutating func resource(_ key: Int) -> ResourceSpec {
    var spec = ResourceSpec()
    spec.yields = random.number(below: 4)
    if key == Self.stuckKey {
      spec.opening = .neverEnds
      return spec
    }
    // Mostly earlier keys, because a cycle fails everything.
    let others = random.chance(8) ? Array(0..<Self.stuckKey) : Array(0..<key)
    spec.needs = others.filter { _ in random.chance(40) }
    spec.needsSideBySide = random.chance(40)
    if random.chance(10) { spec.opening = .fails }
    spec.running =
      switch random.number(below: 100) {
      case 0..<55: .nothing
      case 55..<92: .untilCancelled
      default: .fails
      }
    return spec
  }

  private mutating func steps(depth: Int, isCancelled: Bool) -> [Step] {
    var steps: [Step] = []
    while budget > 0, random.another(after: steps.count, of: 1...3) {
      budget -= 1
      steps.append(step(depth: depth, isCancelled: isCancelled))
    }
    return steps
  }

  private mutating func step(depth: Int, isCancelled: Bool) -> Step {
    let keys = Self.keyCount - (isCancelled ? 0 : 1)
    if depth < 5, random.chance(depth < 2 ? 75 : 45) {
      switch random.number(below: 14) {
      case 12...:
        return .outliving(steps(depth: depth + 1, isCancelled: false))
      case 0...5:
        let listed = (0..<keys).filter { _ in random.chance(35) }
        return .lifetime(listed, steps(depth: depth + 1, isCancelled: isCancelled))
      case 6:
        return .override(
          random.number(below: keys), steps(depth: depth + 1, isCancelled: isCancelled))
      case 7, 8:
        var children: [[Step]] = []
        while random.another(after: children.count, of: 2...3) {
          children.append(steps(depth: depth + 1, isCancelled: isCancelled))
        }
        return .group(children)
      case 9:
        return .attempt(steps(depth: depth + 1, isCancelled: isCancelled))
      default:
        return .cancelled(
          after: random.number(below: 30), steps(depth: depth + 1, isCancelled: true))
      }
    }
    switch random.number(below: 12) {
    case 0, 1: return .read(random.number(below: keys))
    case 2...5: return .open(random.number(below: keys))
    case 6...9:
      return .rush(random.number(below: Self.keyCount - 1), tasks: 2 + random.number(below: 4))
    case 10: return random.chance(30) ? .fail : .untilCancelled
    default: return .yield(random.number(below: 5))
    }
  }
}
