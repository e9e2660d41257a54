public import ComposableDependencies

extension ScopeCapturing {
  /// The value of a dependency in this environment's scope, read through the environment.
  @inlinable
  package func value<Value>(of keyPath: KeyPath<Dependencies, Value>) -> Value {
    #if DEBUG
      checkScopeIsCaptured()
    #endif
    return scope[keyPath]
  }
}

#if DEBUG
  extension ScopeCapturing {
    /// Reports an environment that reads the current scope instead of capturing one.
    @usableFromInline
    func checkScopeIsCaptured() {
      // Mostly, it isn't the current scope, and so can't be read from there.
      if scope.identity == DependencyScope.current.identity,
        probe.run({ scope.identity }) == probe.identity
      {
        Self.reportScopeNotCaptured(at: nil)
      }
    }

    static func reportScopeNotCaptured(at place: SourcePlace?) {
      DependencyIssue(
        problem: """
          The `scope` of \(Self.self) isn't the scope that it was created in. A computed `scope` \
          returns the reader's scope, and loses the overrides set on the environment.
          """,
        remedy: "declare a stored property, `let scope = DependencyScope.current`.",
        at: place
      ).report()
    }

    /// Reports equatable properties that the recreated environment lost.
    ///
    /// A property that `init()` computes from dependencies differs in the new scope, but isn't lost:
    /// the original has the value that `init()` gives it in the original's scope.
    static func reportLostProperties(
      from original: Self, to copy: Self, at place: SourcePlace
    ) {
      guard EnvironmentShape.of(original).isComparable else { return }
      let differing = original.differences(from: copy)
      if differing.isEmpty { return }
      let initial = original.scope.run { type(of: original).init() }
      for name in original.differences(from: initial) where differing.contains(name) {
        DependencyIssue(
          problem: """
            The stored property `\(name)` of \(Self.self) is lost, because `with` recreates the \
            environment with `init()`, which doesn't know its value.
            """,
          remedy: "add `mutating func adopt(from other: Self) { \(name) = other.\(name) }`.",
          at: place
        ).report()
      }
    }

    /// The names of the stored properties that differ, in their order.
    ///
    /// Compares equatable values only, because a false report would be worse than a missed one.
    private func differences(from other: Self) -> [String] {
      zip(storedProperties(of: self), storedProperties(of: other))
        .filter { value, other in
          // An environment is recreated in the new scope, as it should be.
          !(value.value is any DependencyEnvironment) && areDifferent(value.value, other.value)
        }
        .map { $0.0.label ?? "?" }
    }
  }

  private let probe = DependencyScope.isolated()
#endif
