extension Program {
  /// The program as text, with blocks as in Swift.
  ///
  /// - Parameter comments: A comment for each step, by its number.
  func text(comments: [Int: String] = [:]) -> String {
    var text = ProgramText(comments: comments)
    let scope = usesProcessStore ? "DependencyScope.root" : "DependencyScope.isolated()"
    text.write("await \(scope).run {")
    text.write(steps, indent: 1)
    text.write("}")
    return text.lines.joined(separator: "\n")
  }
}

private struct ProgramText {
  let comments: [Int: String]
  var lines: [String] = []

  init(comments: [Int: String]) {
    self.comments = comments
  }

  mutating func write(_ line: String, indent: Int = 0) {
    lines.append(String(repeating: "  ", count: indent) + line)
  }

  mutating func write(_ steps: [Step], indent: Int) {
    for step in steps {
      let first = lines.count
      write(step, indent: indent)
      if let comment = comments[step.id] { lines[first] += "  // \(comment)" }
    }
  }

  private mutating func write(_ step: Step, indent: Int) {
    let text = step.text
    guard !step.blocks.isEmpty else { return write(text, indent: indent) }
    if step.operation != .group {
      write("\(text) {", indent: indent)
      write(step.blocks[0], indent: indent + 1)
      if step.blocks.count > 1 {
        write("} \(step.operation == .asyncLet ? "meanwhile" : "catch") {", indent: indent)
        write(step.blocks[1], indent: indent + 1)
      }
      return write("}", indent: indent)
    }
    write("\(text) { group in", indent: indent)
    for block in step.blocks {
      write("group.addTask {", indent: indent + 1)
      write(block, indent: indent + 2)
      write("}", indent: indent + 1)
    }
    write("}", indent: indent)
  }
}

extension Step {
  /// The operation, and all that it uses, as in `let v3 = derive v1 k0 = 11, k2 += 12`.
  fileprivate var text: String {
    var parts = [operation.rawValue] + uses.map { "v\($0)" }
    parts += slots.map { ".derived\($0)" }
    if !keys.isEmpty {
      let prefix = operation == .readShared ? "shared " : "k"
      parts.append(keys.map { "\(prefix)\($0)" }.joined(separator: ", "))
    }
    if !changes.isEmpty {
      let sets = changes.map { "k\($0.key) \($0.isIncrement ? "+=" : "=") \($0.value)" }
      parts.append(sets.joined(separator: ", "))
    }
    switch operation {
    case .makeEnvironment: parts.append("\(EnvironmentType(rawValue: variant)!)")
    case .isolated where variant == 1: parts.append("usingTestValues")
    case .bind where variant == 1, .group where variant == 1, .asyncLet where variant == 1:
      parts.append("rethrowing")
    default: break
    }
    return (defines.map { "let v\($0) = " } ?? "") + parts.joined(separator: " ")
  }
}
