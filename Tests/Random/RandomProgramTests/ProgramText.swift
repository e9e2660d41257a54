extension Program {
  /// The program as Swift-like text.
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
  fileprivate var text: String {
    let used = uses.map { "v\($0)" }
    let first = used.first ?? "DependencyScope.current"
    let path = uses.isEmpty ? "" : environmentPath
    let keys = keys.map { "k\($0)" }.joined(separator: ", ")
    let sets = changes.map { "$0.k\($0.key) \($0.isIncrement ? "+=" : "=") \($0.value)" }
      .joined(separator: "; ")
    let call =
      switch operation {
      case .read: "read \(keys)"
      case .readComputed: "read blend  /* k1 + 3 * k2 + 7 * k6 */"
      case .readThroughGlobal: "read Settings() \(keys)"
      case .readScope: "read \(first) \(keys)"
      case .readShared: "read \(first) shared \(self.keys.map(String.init).joined(separator: ", "))"
      case .readDeclared: "read \(first)"
      case .readEnvironment: "read \(first)\(path) declared, \(keys)"
      case .with: "withDependencies { \(sets) } operation:"
      case .withAsync: "await withDependencies { \(sets) } operation:"
      case .run: "\(first).run"
      case .runAsync: "await \(first).run"
      case .carry: "\(first).extracting(\(keys) /* injected from the current scope */).run"
      case .capture: "DependencyScope.current"
      case .derive: "\(first).with { \(sets) }"
      case .isolated:
        "DependencyScope.isolated(\(variant == 1 ? "usingTestValues: true" : ""))"
      case .declare: "Dependency(\\.\(keys))"
      case .bind: "\(first).bind\(variant == 1 ? " /* throws */" : "")"
      case .call: "\(first)()"
      case .callOnQueue: "await queue.async(\(first))"
      case .setGlobally, .setRacing: "DependencyScope.current.setGlobally { \(sets) }"
      case .setThroughGlobal: "Settings().with { \(sets) }"
      case .alias: "alias \(self.keys.map { "k\($0)" }.joined(separator: ", to: "))"
      case .clearAliases: "Dependencies.clearGlobalAliases()"
      case .reset: "Dependencies.resetGlobalValues()"
      case .throwError: "throw Thrown()"
      case .catching, .catchingAsync: "do"
      case .asyncLet: "async let child ="
      case .group: "\(variant == 1 ? "try " : "")await withTaskGroup\(groupScope)"
      case .task: "Task"
      case .detachedTask: "Task.detached"
      case .detachedTaskIn: "Task.detached(in: \(first))"
      case .join: "await \(first).value"
      case .actorHop: "await actor.run"
      case .queueAsync: "await queue.async"
      case .queueSync: "queue.sync"
      case .stream:
        "for await _ in stream.map { read \(keys) }\(uses.isEmpty ? "" : ".scoped(to: \(first))")"
      case .yield: "await Task.yield()"
      case .makeEnvironment: "\(EnvironmentType(rawValue: variant)!)()"
      case .overrideEnvironment: "\(first).with { \(sets) }"
      case .setInEnvironment, .overrideDerived: "\(first); $0\(path)[…] { \(sets) }"
      case .derivedEnvironment: "\(first)\(path)"
      case .assignDerived: "\(first); $0\(path) = \(used.last!)"
      case .storeInEnvironment: "\(first); $0.stored = \(variant)"
      case .runEnvironment: "\(first).scope.run"
      }
    return defines.map { "let v\($0) = \(call)" } ?? call
  }

  private var groupScope: String {
    if changes.isEmpty { return "" }
    let sets = changes.map { "$0.k\($0.key) = \($0.value)" }.joined(separator: "; ")
    return " /* whose body enters withDependencies { \(sets) } */"
  }

  private var environmentPath: String {
    slots.map { ".derived\($0)" }.joined()
  }
}
