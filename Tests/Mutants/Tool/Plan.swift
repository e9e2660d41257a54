/// What can be changed in a statement, and how the changed file holds it.
struct Plan {
  enum Piece {
    case text(String)
    /// An expression and what may stand in its place.
    case choice(String, [(mutant: Mutant, text: String)])
    /// A lock that may be left out.
    case lock(Mutant)
    /// A statement that may be left out.
    case statement(Mutant, String)
  }

  var drop: Mutant?
  /// Statements that may take its place.
  var branches: [(mutant: Mutant, text: String)] = []
  /// Results that may be returned in its place.
  var returns: [(mutant: Mutant, text: String)] = []
  var pieces: [Piece] = []

  var mutants: [Mutant] {
    var all = (drop.map { [$0] } ?? []) + (branches + returns).map(\.mutant)
    for piece in pieces {
      switch piece {
      case .text: break
      case .choice(_, let choices): all += choices.map(\.mutant)
      case .lock(let mutant), .statement(let mutant, _): all.append(mutant)
      }
    }
    return all
  }
}

/// Finds what can be changed in the statements of one file.
struct Planner {
  let file: String
  private var counts: [Mutant: Int] = [:]

  init(file: String) {
    self.file = file
  }

  mutating func plan(_ statement: Statement) -> Plan? {
    let text = statement.text
    // A branch in a closure that stays on its caller's actor makes it leave the actor.
    let isOnActor = text == "_ = isolation" || text == "await operation()"
    if text.isEmpty || isOnActor
      || text.hasPrefix("@") && text.contains("unavailable")
    {
      return nil
    }
    if ["fatalError(", "precondition", "assert(", "assertionFailure("].contains(
      where: text.contains)
    {
      return nil
    }
    var plan = Plan()
    if statement.surroundings == .type {
      planDeclaration(statement, &plan)
    } else {
      planStatement(statement, &plan)
    }
    if statement.hasLongLiteral { plan = Plan(drop: plan.drop) }
    return plan.mutants.isEmpty ? nil : plan
  }

  private mutating func planStatement(_ statement: Statement, _ plan: inout Plan) {
    let text = statement.text
    if text.begins(with: ["if", "} else if", "guard", "while"]) {
      planCondition(statement, &plan)
    } else if text.begins(with: ["for"]) {
      planLoop(statement, &plan)
    } else if text.begins(with: ["return"]) {
      planReturn(statement, &plan)
    } else if text.begins(with: ["case", "default"]) {
      planCase(statement, &plan)
    } else if text.begins(with: ["get", "set", "defer", "func", "init"]) && !statement.hasBlock {
      planDeclaration(statement, &plan)
    } else if let (name, value) = Text(text).cut(at: " = "), !name.isEmpty, !text.hasPrefix("case ")
    {
      let isDeclaration = name.declaration.begins(with: ["let", "var"])
      if statement.hasBlock {
        planLock(text, &plan)
      } else {
        plan.pieces = [.text(name + " =")] + [choice(value, Alternatives(value).all)]
      }
      if !isDeclaration { planDrop(statement, &plan) }
    } else if Self.isPlain(text) {
      if statement.hasBlock {
        planLock(text, &plan)
      } else if case .function(let result?, _) = statement.surroundings {
        plan.branches = mutants(text, Alternatives(text).withResult(result))
      } else {
        plan.branches = mutants(text, Alternatives(text).all)
      }
      planDrop(statement, &plan)
    }
  }

  private mutating func planDrop(_ statement: Statement, _ plan: inout Plan) {
    if case .function(_, isInitializer: true) = statement.surroundings,
      Text(statement.text).cut(at: " = ") != nil || statement.text.contains(".init(")
    {
      return
    }
    // Without it, the closure's result could have another type.
    if statement.isResult { return }
    plan.drop = mutant(.drop, statement.text, "")
  }

  private mutating func planCondition(_ statement: Statement, _ plan: inout Plan) {
    let text = statement.text
    let keyword = ["if", "} else if", "guard", "while"].first { text.begins(with: [$0]) }!
    guard
      let (head, body) = Text(String(text.dropFirst(keyword.count)))
        .cut(at: keyword == "guard" ? " else {" : " {")
    else { return }
    let parsed = Text(head)
    let elements = parsed.split(at: parsed.positions(of: ",", depth: 0), droppingLast: 1)
    plan.pieces = [.text(keyword)]
    for (index, element) in elements.enumerated() {
      let end = index == elements.count - 1 ? "" : ","
      plan.pieces += pieces(of: element, in: keyword) + (end.isEmpty ? [] : [.text(end)])
    }
    plan.pieces.append(.text((keyword == "guard" ? "else {" : "{") + " " + body))
  }

  private mutating func pieces(of element: String, in keyword: String) -> [Plan.Piece] {
    if element.begins(with: ["case", "#available", "true"]) { return [.text(element)] }
    if element.begins(with: ["let", "var"]) {
      guard let (name, value) = Text(element).cut(at: " = ") else {
        let value = String(element.drop { $0 != " " }.dropFirst())
        return [.text(element + " ="), choice(value, [(.result, "nil")])]
      }
      return [.text(name + " ="), choice(value, [(.result, "nil")] + Alternatives(value).all)]
    }
    let alternatives = Alternatives(element)
    return [
      choice(
        element,
        keyword == "while" ? [(.negate, "false")] + alternatives.all : alternatives.ofCondition)
    ]
  }

  private mutating func planLoop(_ statement: Statement, _ plan: inout Plan) {
    guard let (head, body) = Text(statement.text).cut(at: " {") else { return }
    if let (sequence, condition) = Text(head).cut(at: " where ") {
      plan.pieces = [
        .text(sequence + " where"), choice(condition, Alternatives(condition).ofCondition),
        .text("{ " + body),
      ]
    } else if let (name, sequence) = Text(head).cut(at: " in ") {
      plan.pieces = [
        .text(name + " in"), choice(sequence, Alternatives(sequence).all), .text("{ " + body),
      ]
    }
    planDrop(statement, &plan)
  }

  private mutating func planReturn(_ statement: Statement, _ plan: inout Plan) {
    let value = String(statement.text.dropFirst("return".count)).trimmed
    if statement.hasBlock { return planLock(statement.text, &plan) }
    guard !value.isEmpty, !value.begins(with: ["if", "switch"]) else { return }
    let alternatives = Alternatives(value)
    if case .function(let result, _) = statement.surroundings {
      plan.returns = mutants(value, alternatives.withResult(result))
    } else {
      plan.returns = mutants(value, alternatives.all)
    }
  }

  /// A case whose result is on the same line.
  private mutating func planCase(_ statement: Statement, _ plan: inout Plan) {
    guard let (label, value) = Text(statement.text).cut(at: ": return "), !statement.hasBlock,
      case .function(let result, _) = statement.surroundings
    else { return }
    plan.pieces = [
      .text(label + ": return"), choice(value, Alternatives(value).withResult(result)),
    ]
  }

  /// A declaration with a value, or whose body is on the same line.
  private mutating func planDeclaration(_ statement: Statement, _ plan: inout Plan) {
    let text = statement.text
    guard !statement.hasBlock else { return }
    let declaration = text.declaration
    if declaration.begins(with: ["let", "var"]), let (name, value) = Text(text).cut(at: " = ") {
      plan.pieces = [.text(name + " ="), choice(value, Alternatives(value).all)]
      return
    }
    guard declaration.begins(with: ["var", "func", "subscript", "get", "set", "defer", "deinit"]),
      let (head, rest) = Text(text).cut(at: " {"), rest.hasSuffix("}")
    else { return }
    let body = String(rest.dropLast()).trimmed
    guard !body.isEmpty, !body.begins(with: ["get", "if", "switch", "return"]) else { return }
    var result = declaration.resultType
    if declaration.begins(with: ["get"]), case .function(let type, _) = statement.surroundings {
      result = type
    }
    if let result {
      let alternatives = mutants(body, Alternatives(body).withResult(result))
      plan.pieces = [.text(head + " {"), .choice(body, alternatives), .text("}")]
    } else {
      plan.pieces = [.text(head + " {")]
      plan.pieces.append(.statement(mutant(.drop, body, ""), body))
      plan.pieces.append(.text("}"))
    }
  }

  private mutating func planLock(_ text: String, _ plan: inout Plan) {
    let mark = ".withLock {"
    guard let (before, after) = Text(text).cut(at: mark) else { return }
    let lock = mutant(.lock, text, "\(before).withoutLock { \(after)")
    plan.pieces = [.text(before), .lock(lock), .text("{ " + after)]
  }

  private static func isPlain(_ text: String) -> Bool {
    guard let first = text.first, first.isLetter || "_($[".contains(first) else { return false }
    return !text.begins(with: [
      "let", "var", "func", "init", "deinit", "subscript", "struct", "class", "enum", "extension",
      "protocol", "actor", "typealias", "import", "case", "default", "switch", "return", "if",
      "guard",
      "for", "while", "repeat", "do", "catch", "public", "private", "fileprivate", "internal",
      "package",
      "final", "static", "override", "mutating", "lazy", "weak", "unowned", "get", "set", "willSet",
      "didSet", "defer", "where", "associatedtype", "nonisolated", "super.init", "self.init",
      "fallthrough", "async",
    ]) && !text.hasSuffix(":")
  }
}

extension Planner {
  private mutating func choice(
    _ expression: String, _ alternatives: [(kind: Mutant.Kind, text: String)]
  ) -> Plan.Piece {
    let choices = mutants(expression, alternatives)
    return choices.isEmpty ? .text(expression) : .choice(expression, choices)
  }

  private mutating func mutants(
    _ expression: String, _ alternatives: [(kind: Mutant.Kind, text: String)]
  ) -> [(mutant: Mutant, text: String)] {
    alternatives.map { (mutant($0.kind, expression, $0.text), $0.text) }
  }

  private mutating func mutant(
    _ kind: Mutant.Kind, _ original: String, _ replacement: String
  ) -> Mutant {
    var mutant = Mutant(file: file, kind: kind, original: original, replacement: replacement)
    counts[mutant, default: 0] += 1
    mutant.ordinal = counts[mutant]!
    return mutant
  }
}
