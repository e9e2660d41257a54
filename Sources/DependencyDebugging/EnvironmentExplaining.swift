internal import ComposableDependencies
public import Environments

extension DependencyEnvironment {
  /// Explains why each dependency of this environment has its value.
  ///
  /// ```swift
  /// print(search.explain())
  /// ```
  ///
  /// The explanation contains what the scope's `explain()` contains, and each dependency that the
  /// environment declares, even if its value is the default. Then come the derived environments that
  /// exist already, each with what differs from its parent.
  ///
  /// It reads each declared dependency once to find its key, and computes each default once more, to
  /// show its value and the dependencies that it reads.
  public func explain() -> Explanation {
    explain(differingFrom: nil, depth: 0)
  }

  private func explain(differingFrom parent: Explanation?, depth: Int) -> Explanation {
    let explainer = Explainer(scope: explainedScope)
    let declared = declaredDependencies.flatMap(\.wrapper.keys)
    let whole = explainer.explanation(
      of: explainer.settings.map(\.key) + declared, computingDefaults: true, title: "\(Self.self)")
    // Environments may derive each other.
    let children =
      depth > 3
      ? []
      : derivedEnvironments.compactMap { derived in
        derived.wrapper.existingEnvironment.map { child in
          Explanation.Child(
            name: derived.name, explanation: child.explain(differingFrom: whole, depth: depth + 1))
        }
      }
    return Explanation(
      entries: whole.entries.filter { !(parent?.contains($0) ?? false) }, children: children,
      isRecorded: whole.isRecorded || parent != nil, scopes: parent == nil ? whole.scopes : [],
      title: whole.title)
  }

  private var explainedScope: DependencyScope {
    (self as? any ScopeCapturing)?.scope ?? .current
  }
}

extension Explanation {
  /// Whether an entry says the same as one of these.
  fileprivate func contains(_ entry: Entry) -> Bool {
    entries.contains { $0.key == entry.key && $0.description == entry.description }
  }
}
