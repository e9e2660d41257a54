internal import ComposableDependencies
public import Environments

extension DependencyEnvironment {
  /// Explains why each dependency of this environment that is overridden or set globally has its value.
  ///
  /// ```swift
  /// print(search.explain())
  /// ```
  ///
  /// The explanation contains what the scope's `explain()` contains, and then the derived
  /// environments, each with what differs from its parent. One whose type occurs above it is left out.
  ///
  /// It reads no dependency. Derived environments that don't exist yet are created.
  public func explain() -> Explanation {
    explain(differingFrom: nil, below: [])
  }

  private func explain(
    differingFrom parent: Explanation?, below parents: [any DependencyEnvironment.Type]
  ) -> Explanation {
    let scope = (self as? any ScopeCapturing)?.scope ?? .current
    let whole = scope.explanation(title: "\(Self.self)")
    let path = parents + [Self.self]
    // Another task may be changing an actor, but not a new one.
    let environment = self is any Actor ? scope.run { Self() } : self
    let children = storedProperties(of: environment).compactMap {
      label, value -> Explanation.Child? in
      // Environments may derive each other.
      guard let derived = value as? any DerivedWrapper,
        !path.contains(where: { ObjectIdentifier($0) == derived.environmentType })
      else { return nil }
      // The label is that of the wrapper, `_child`.
      return Explanation.Child(
        name: String(label?.dropFirst() ?? "?"),
        explanation: derived.anyEnvironment.explain(differingFrom: whole, below: path))
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
