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
    ///
    /// A property that `init()` computes from dependencies differs in the new scope, but isn't lost:
    /// the original has the value that `init()` gives it in the original's scope.
    static func reportLostProperties(
      from original: Self, to copy: Self, at location: SourceLocation
    ) {
      if original is any CustomReflectable { reportHiddenProperties(of: original, at: location) }
      let differing = original.differences(from: copy)
      if differing.isEmpty { return }
      let initial = CurrentScope.enter(original.scope.node) { Self() }
      for name in original.differences(from: initial) where differing.contains(name) {
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

    /// The names of the stored properties that differ, in their order.
    private func differences(from other: Self) -> [String] {
      zip(Mirror(reflecting: self).children, Mirror(reflecting: other).children)
        .filter { !Sameness.isSame($0.value, $1.value, in: scope) }
        .map { $0.0.label ?? "?" }
    }

    private static func reportHiddenProperties(of original: Self, at location: SourceLocation) {
      let derived = DerivedTypes.created {
        CurrentScope.enter(original.scope.node) { Self() }
      }
      guard AssignedEnvironments.isAssigned(oneOf: derived) else { return }
      DependencyIssue(
        problem: """
          A derived environment that was assigned to \(Self.self) may be lost, because \(Self.self) \
          is `CustomReflectable`, which hides its stored properties.
          """,
        remedy: "remove its `customMirror`, or assign the child after the override.",
        at: location
      ).report()
    }
  }

  private let probe = ScopeNode.bare(over: ScopeRoot(owner: .process))
#endif
