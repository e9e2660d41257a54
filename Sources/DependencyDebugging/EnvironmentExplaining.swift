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
  /// environment declares, even if its value is the default. Then come the derived environments, each
  /// with what differs from its parent. One whose type occurs above it is left out.
  ///
  /// It reads each declared dependency once to find its key, and computes each default once more, to
  /// show its value and the dependencies that it reads. Derived environments that don't exist yet are
  /// created.
  public func explain() -> Explanation {
    explain(differingFrom: nil, below: [])
  }

  private func explain(
    differingFrom parent: Explanation?, below parents: [any DependencyEnvironment.Type]
  ) -> Explanation {
    let explainer = Explainer(scope: capturedScope)
    let declared = declaredDependencies.flatMap(\.wrapper.keys)
    let whole = explainer.explanation(
      of: explainer.settings.map(\.key) + declared, computingDefaults: true, title: "\(Self.self)")
    let path = parents + [Self.self]
    let children = derivedEnvironments.compactMap { derived -> Explanation.Child? in
      // Environments may derive each other.
      let type = derived.wrapper.environmentType
      if path.contains(where: { ObjectIdentifier($0) == type }) { return nil }
      let child = derived.wrapper.anyEnvironment
      return Explanation.Child(
        name: derived.name, explanation: child.explain(differingFrom: whole, below: path))
    }
    return Explanation(
      entries: whole.entries.filter { !(parent?.contains($0) ?? false) }, children: children,
      isRecorded: whole.isRecorded || parent != nil, scopes: parent == nil ? whole.scopes : [],
      title: whole.title)
  }
}

extension Explanation {
  /// Whether an entry says the same as one of these.
  fileprivate func contains(_ entry: Entry) -> Bool {
    entries.contains { $0.key == entry.key && $0.description == entry.description }
  }
}
