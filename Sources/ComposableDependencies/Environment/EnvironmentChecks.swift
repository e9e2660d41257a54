extension ScopeCapturing {
  /// Reports, in a debug build, an environment that reads whatever scope is current.
  @usableFromInline
  package func checkScopeIsCaptured() {
    #if DEBUG
      if CurrentScope.enter(probe, { scope.node }) === probe {
        Self.reportScopeNotCaptured(at: nil)
      }
    #endif
  }
}

#if DEBUG
  extension ScopeCapturing {
    static func reportScopeNotCaptured(at location: SourceLocation?) {
      DependencyIssue(
        problem: """
          The `scope` of \(Self.self) is not the one in which the environment was created, as if it \
          were computed: it reads whatever scope is current, and no override set on it.
          """,
        remedy: "`let scope = DependencyScope.current`, a stored property, captured at creation.",
        at: location
      ).report()
    }

    /// Reports stored properties that making the environment again has lost.
    static func reportLostProperties(
      from original: Self, to copy: Self, at location: SourceLocation
    ) {
      for (old, new) in zip(
        Mirror(reflecting: original).children, Mirror(reflecting: copy).children)
      where !isSame(old.value, new.value) {
        let name = old.label ?? "?"
        DependencyIssue(
          problem: """
            The stored property `\(name)` of \(Self.self) is lost: the environment was made again by \
            `init()`, which does not know its value.
            """,
          remedy: "`mutating func adopt(from other: Self) { \(name) = other.\(name) }`.",
          at: location
        ).report()
      }
    }
  }

  private let probe = OverrideNode(table: OverrideTable(store: .process))

  /// What an environment is made of that `init()` makes again as it should be.
  private protocol RemadeWithEnvironment {}
  extension DependencyScope: RemadeWithEnvironment {}
  extension Dependency: RemadeWithEnvironment {}
  extension DerivedEnvironment: RemadeWithEnvironment {}

  /// Whether two values of any type are the same, as far as can be told.
  private func isSame(_ lhs: Any, _ rhs: Any) -> Bool {
    guard type(of: lhs) == type(of: rhs) else { return false }
    if lhs is any RemadeWithEnvironment { return true }
    if type(of: lhs) is AnyClass { return lhs as AnyObject === rhs as AnyObject }
    if let lhs = lhs as? any Equatable, isEqual(lhs, rhs) { return true }
    let (children, others) = (Mirror(reflecting: lhs).children, Mirror(reflecting: rhs).children)
    if lhs is any Equatable || children.isEmpty { return hasSameBytes(lhs, rhs) }
    return children.count == others.count
      && zip(children, others).allSatisfy { $0.label == $1.label && isSame($0.value, $1.value) }
  }

  private func isEqual<Value: Equatable>(_ lhs: Value, _ rhs: Any) -> Bool {
    lhs == rhs as? Value
  }

  /// For what cannot be compared otherwise: closures, metatypes, and numbers that are not equal to
  /// themselves.
  private func hasSameBytes<Value>(_ lhs: Value, _ rhs: Any) -> Bool {
    guard let rhs = rhs as? Value else { return false }
    return unsafe withUnsafeBytes(of: lhs) { lhs in
      unsafe withUnsafeBytes(of: rhs) { rhs in unsafe lhs.elementsEqual(rhs) }
    }
  }
#endif
