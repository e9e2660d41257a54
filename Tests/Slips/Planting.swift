import SwiftOperators
import SwiftParser
import SwiftSyntax

/// Finds the slips that a file allows.
///
/// Each only inserts code, around an expression or a statement, so they can all be in one build.
final class Planting: SyntaxVisitor {
  private let file: String
  private let converter: SourceLocationConverter
  private(set) var slips: [Slip] = []
  /// What the functions around a node return: "nil" stands for any optional.
  private var results: [String?] = []

  init(file: String, source: String) {
    self.file = file
    let tree = OperatorTable.standardOperators.foldAll(Parser.parse(source: source)) { _ in }
    converter = SourceLocationConverter(fileName: file, tree: tree)
    super.init(viewMode: .sourceAccurate)
    walk(tree)
  }

  /// - Parameter code: What describes the slip, if the node alone says too little.
  private func add(
    _ what: String, _ node: some SyntaxProtocol, code: (any SyntaxProtocol)? = nil, before: String,
    after: String
  ) {
    let start = node.positionAfterSkippingLeadingTrivia
    slips.append(
      Slip(
        file: file, line: converter.location(for: start).line,
        text: "\(what): \(Self.line(code ?? node))", start: start.utf8Offset,
        end: node.endPositionBeforeTrailingTrivia.utf8Offset, before: before, after: after))
  }

  private static func line(_ node: any SyntaxProtocol) -> String {
    node.trimmedDescription.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  /// Plants another value for an expression, behind its `try` and `await`.
  private func replace(_ node: ExprSyntax, by value: String, _ what: String) {
    if let node = node.as(TryExprSyntax.self) { return replace(node.expression, by: value, what) }
    if let node = node.as(AwaitExprSyntax.self) { return replace(node.expression, by: value, what) }
    if let node = node.as(UnsafeExprSyntax.self) {
      return replace(node.expression, by: value, what)
    }
    add(what, node, before: "(slip(#) ? \(value) : (", after: "))")
  }

  // MARK: - What is compiled

  override func visit(_ node: IfConfigDeclSyntax) -> SyntaxVisitorContinueKind {
    let compiled = node.clauses.first { $0.condition.map(Self.holds) ?? true }
    if let elements = compiled?.elements { walk(elements) }
    return .skipChildren
  }

  /// Whether a condition of `#if` holds where this runs, in a debug build.
  private static func holds(_ condition: ExprSyntax) -> Bool {
    if let infix = condition.as(InfixOperatorExprSyntax.self) {
      let (left, right) = (holds(infix.leftOperand), holds(infix.rightOperand))
      return infix.operator.trimmedDescription == "&&" ? left && right : left || right
    }
    if let prefix = condition.as(PrefixOperatorExprSyntax.self) { return !holds(prefix.expression) }
    if let tuple = condition.as(TupleExprSyntax.self), let only = tuple.elements.first {
      return holds(only.expression)
    }
    let text = condition.trimmedDescription
    if let version = text.firstMatch(of: /^(?:compiler|swift)\(>=([\d.]+)\)$/) {
      return Double(version.1) ?? 0 <= 6.3
    }
    #if arch(x86_64)
      if text == "arch(x86_64)" { return true }
    #elseif arch(arm64)
      if text == "arch(arm64)" { return true }
    #endif
    #if canImport(Darwin)
      return ["DEBUG", "canImport(Darwin)", "os(macOS)"].contains(text)
    #else
      return [
        "DEBUG", "canImport(FoundationEssentials)", "canImport(Glibc)", "canImport(Runtime)",
        "os(Linux)",
        "compiler(<6.4)",
      ].contains(text)
    #endif
  }

  // MARK: - Conditions

  override func visit(_ node: ConditionElementSyntax) -> SyntaxVisitorContinueKind {
    if case .expression(let condition) = node.condition { decide(condition) }
    return .visitChildren
  }

  override func visit(_ node: TernaryExprSyntax) -> SyntaxVisitorContinueKind {
    decide(node.condition)
    return .visitChildren
  }

  override func visit(_ node: WhereClauseSyntax) -> SyntaxVisitorContinueKind {
    decide(node.condition)
    return .visitChildren
  }

  private func decide(_ condition: ExprSyntax) {
    replace(condition, by: "true", "always")
    replace(condition, by: "false", "never")
  }

  // MARK: - Statements

  override func visit(_ node: CodeBlockItemSyntax) -> SyntaxVisitorContinueKind {
    if isEffect(node.item) {
      // A closure's only expression may be its result, which compiles as nothing, too, if it's generic.
      let mayBeResult =
        node.item.as(ExprSyntax.self).map { !isAssignment($0) } == true
        && node.parent?.parent?.is(ClosureExprSyntax.self) == true
        && node.parent?.as(CodeBlockItemListSyntax.self)?.count == 1
      let before = mayBeResult ? "if !slip(#) { let _: Void = " : "if !slip(#) { "
      add("left out", node, before: before, after: " }")
    }
    return .visitChildren
  }

  private func isEffect(_ item: CodeBlockItemSyntax.Item) -> Bool {
    switch item {
    case .stmt(let statement):
      if let result = statement.as(ReturnStmtSyntax.self) { return result.expression == nil }
      return statement.is(ContinueStmtSyntax.self) || statement.is(BreakStmtSyntax.self)
    case .expr(var expression):
      while true {
        if let inner = expression.as(TryExprSyntax.self) {
          expression = inner.expression
        } else if let inner = expression.as(AwaitExprSyntax.self) {
          expression = inner.expression
        } else if let inner = expression.as(UnsafeExprSyntax.self) {
          expression = inner.expression
        } else {
          break
        }
      }
      if let call = expression.as(FunctionCallExprSyntax.self) {
        return !Self.withoutResult.contains {
          call.calledExpression.trimmedDescription.hasSuffix($0)
        }
      }
      return isAssignment(expression)
    default: return false
    }
  }

  /// Calls that change what no test may ask for: memory, and checks that never fail.
  private static let withoutResult = [
    "assert", "fatalError", "precondition", "preconditionFailure", "reserveCapacity",
  ]

  private func isAssignment(_ expression: ExprSyntax) -> Bool {
    guard let infix = expression.as(InfixOperatorExprSyntax.self) else { return false }
    if infix.operator.is(AssignmentExprSyntax.self) { return true }
    let name = infix.operator.trimmedDescription
    return name.hasSuffix("=") && !["==", "!=", "<=", ">=", "===", "!=="].contains(name)
  }

  // MARK: - Operators and literals

  override func visit(_ node: InfixOperatorExprSyntax) -> SyntaxVisitorContinueKind {
    let (left, right) = (node.leftOperand, node.rightOperand)
    switch node.operator.trimmedDescription {
    case "&&":
      replace(left, by: "true", "always")
      replace(right, by: "true", "always")
    case "||":
      replace(left, by: "false", "never")
      replace(right, by: "false", "never")
    case "<": compare(node, by: "<=")
    case "<=": compare(node, by: "<")
    case ">": compare(node, by: ">=")
    case ">=": compare(node, by: ">")
    case "+", "-", "+=", "-=", "&+", "&-":
      if right.is(IntegerLiteralExprSyntax.self), right.trimmedDescription == "1" {
        add("0 in place of 1", right, code: node, before: "(slip(#) ? 0 : ", after: ")")
      }
    default: break
    }
    return .visitChildren
  }

  private func compare(_ node: InfixOperatorExprSyntax, by other: String) {
    let (left, right) = (node.leftOperand.trimmedDescription, node.rightOperand.trimmedDescription)
    replace(ExprSyntax(node), by: "(\(left) \(other) \(right))", other)
  }

  override func visit(_ node: BooleanLiteralExprSyntax) -> SyntaxVisitorContinueKind {
    let other = node.literal.tokenKind == .keyword(.true) ? "false" : "true"
    add(other, node, code: node.parent, before: "(slip(#) ? \(other) : ", after: ")")
    return .skipChildren
  }

  // MARK: - Results

  override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind {
    begin(node.signature.returnClause?.type, body: node.body?.statements)
  }

  override func visitPost(_ node: FunctionDeclSyntax) { results.removeLast() }

  override func visit(_ node: SubscriptDeclSyntax) -> SyntaxVisitorContinueKind {
    begin(node.returnClause.type, body: getter(node.accessorBlock))
  }

  override func visitPost(_ node: SubscriptDeclSyntax) { results.removeLast() }

  override func visit(_ node: PatternBindingSyntax) -> SyntaxVisitorContinueKind {
    begin(node.typeAnnotation?.type, body: getter(node.accessorBlock))
  }

  override func visitPost(_ node: PatternBindingSyntax) { results.removeLast() }

  override func visit(_ node: ClosureExprSyntax) -> SyntaxVisitorContinueKind {
    begin(node.signature?.returnClause?.type, body: nil)
  }

  override func visitPost(_ node: ClosureExprSyntax) { results.removeLast() }

  override func visit(_ node: ReturnStmtSyntax) -> SyntaxVisitorContinueKind {
    if let expression = node.expression { result(expression) }
    return .visitChildren
  }

  private func getter(_ block: AccessorBlockSyntax?) -> CodeBlockItemListSyntax? {
    switch block?.accessors {
    case .getter(let items): items
    case .accessors(let accessors):
      accessors.first { $0.accessorSpecifier.tokenKind == .keyword(.get) }?.body?.statements
    default: nil
    }
  }

  private func begin(
    _ type: TypeSyntax?, body: CodeBlockItemListSyntax?
  ) -> SyntaxVisitorContinueKind {
    results.append(
      type.map { $0.is(OptionalTypeSyntax.self) ? "nil" : $0.trimmedDescription })
    if let body, body.count == 1, case .expr(let expression) = body.first!.item {
      result(expression)
    }
    return .visitChildren
  }

  private func result(_ expression: ExprSyntax) {
    // Conditions and literals have slips of their own.
    if expression.is(BooleanLiteralExprSyntax.self) || expression.is(NilLiteralExprSyntax.self)
      || expression.is(IfExprSyntax.self) || expression.is(SwitchExprSyntax.self)
    {
      return
    }
    switch results.last ?? nil {
    case "nil": replace(expression, by: "nil", "returns nil")
    case "Bool":
      replace(expression, by: "true", "returns true")
      replace(expression, by: "false", "returns false")
    default: break
    }
  }
}

/// Inserts slips into a file's source.
func planted(_ slips: [Slip], in source: String) -> String {
  var before: [Int: [Slip]] = [:]
  var after: [Int: [Slip]] = [:]
  for slip in slips {
    before[slip.start, default: []].append(slip)
    after[slip.end, default: []].append(slip)
  }
  let bytes = Array(source.utf8)
  var result: [UInt8] = []
  result.reserveCapacity(bytes.count * 2)
  for offset in 0...bytes.count {
    // What is inside ends first and begins last.
    for slip in (after[offset] ?? []).sorted(by: { ($0.start, $0.number) > ($1.start, $1.number) })
    {
      result += slip.after.utf8
    }
    for slip in (before[offset] ?? []).sorted(by: { ($0.end, $1.number) > ($1.end, $0.number) }) {
      result += slip.before.replacing("#", with: "\(slip.number)").utf8
    }
    if offset < bytes.count { result.append(bytes[offset]) }
  }
  return String(decoding: result, as: UTF8.self)
}
