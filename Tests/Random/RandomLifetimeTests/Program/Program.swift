/// Resources, and lifetimes that use them.
struct Program: Sendable {
  var resources: [ResourceSpec]
  /// The keys that are set globally before the program begins.
  var global: Set<Int>
  var body: [Step]
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
}

extension Program: CustomStringConvertible {
  var description: String {
    var lines: [String] = []
    for (key, resource) in resources.enumerated() { lines.append("  K\(key): \(resource)") }
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
