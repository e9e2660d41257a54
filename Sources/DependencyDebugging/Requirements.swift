internal import ComposableDependencies
public import Environments

/// A dependency that an environment declares, and whether the program provides it.
///
/// `requirements()` returns them.
public struct DependencyRequirement: Sendable {
  /// The environment that declares the dependency, and the environments that derive it, the
  /// outermost first.
  public let environments: [String]

  /// The name of the declared property.
  public let property: String

  /// What is known about the keys that the property reads.
  public let entries: [Explanation.Entry]

  /// Whether each key has a value other than its default: an override, or a global value.
  public var isProvided: Bool { entries.allSatisfy { $0.source != .defaultValue } }
}

extension DependencyRequirement: CustomStringConvertible {
  /// The property, the keys that it reads, and where their values come from.
  public var description: String {
    let keys = entries.map { "\($0.key): \($0.origin)" }.joined(separator: "; ")
    return "\(environments.joined(separator: " → ")).\(property) (\(keys))"
  }
}

extension DependencyEnvironment {
  /// Returns every dependency that this environment and the environments that it derives declare.
  ///
  /// Check at start-up that the program provides them all:
  ///
  /// ```swift
  /// let missing = AppEnvironment.requirements().filter { !$0.isProvided }
  /// precondition(missing.isEmpty, "Set these dependencies: \(missing)")
  /// ```
  ///
  /// It creates the environment and those that it derives in the current scope, and reads each
  /// declared dependency once. Environments of one type in the same scope are listed once. A dependency
  /// that is read without a declaration isn't listed.
  public static func requirements() -> [DependencyRequirement] {
    var seen: Set<SeenEnvironment> = []
    return Self().requirements(below: [], &seen)
  }

  fileprivate func requirements(
    below parents: [any DependencyEnvironment.Type], _ seen: inout Set<SeenEnvironment>
  ) -> [DependencyRequirement] {
    let scope = (self as? any ScopeCapturing)?.scope.identity
    guard !parents.contains(where: { $0 == Self.self }),
      seen.insert(SeenEnvironment(type: ObjectIdentifier(Self.self), scope: scope)).inserted
    else { return [] }
    let path = parents + [Self.self]
    var requirements = declaredDependencies.map { declared in
      DependencyRequirement(
        environments: path.map { "\($0)" }, property: declared.name,
        entries: Explainer(scope: declared.wrapper.scope)
          .explanation(of: declared.wrapper.keys, title: "").entries)
    }
    for derived in derivedEnvironments {
      requirements += derived.wrapper.anyEnvironment.requirements(below: path, &seen)
    }
    return requirements
  }
}

/// An environment whose dependencies are listed, and with it all others of its type in its scope.
private struct SeenEnvironment: Hashable {
  let type: ObjectIdentifier
  /// The identity of the captured scope, which the outermost environment keeps alive.
  let scope: UInt?
}
