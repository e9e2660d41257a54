extension ScopeCapturing {
  /// Reports, in a debug build, an environment that reads the current scope instead of capturing
  /// one.
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
          The `scope` of \(Self.self) isn't the scope that it was created in. A computed `scope` \
          returns the reader's scope, and loses the overrides set on the environment.
          """,
        remedy: "declare a stored property, `let scope = DependencyScope.current`.",
        at: location
      ).report()
    }

    /// Reports what the recreated environment lost.
    static func reportLostProperties(
      from original: Self, to copy: Self, at location: SourceLocation
    ) {
      if original is any CustomReflectable, AssignedEnvironments.isAnyAssigned {
        DependencyIssue(
          problem: """
            A derived environment that was assigned to \(Self.self) may be lost, because \(Self.self) \
            is `CustomReflectable`, which hides its stored properties.
            """,
          remedy: "remove its `customMirror`, or assign the child after the override.",
          at: location
        ).report()
      }
      for (old, new) in zip(
        Mirror(reflecting: original).children, Mirror(reflecting: copy).children)
      where !Sameness.isSame(old.value, new.value, in: original.scope) {
        let name = old.label ?? "?"
        DependencyIssue(
          problem: """
            The stored property `\(name)` of \(Self.self) is lost, because `with` recreates the \
            environment with `init()`, which doesn't know its value.
            """,
          remedy: "add `mutating func adopt(from other: Self) { \(name) = other.\(name) }`.",
          at: location
        ).report()
      }
    }
  }

  private let probe = OverrideNode.bare(over: OverrideTable(owner: .process))
#endif
