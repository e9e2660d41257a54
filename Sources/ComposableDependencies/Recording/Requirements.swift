/// A dependency that an environment declares, and whether the program provides it.
///
/// ``DependencyEnvironment/requirements()`` returns them.
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
  /// It creates the environment in the current scope, creates the derived environments, and reads each
  /// declared dependency once. An environment that derives itself, directly or through others, is
  /// listed once. A dependency that is read without a declaration isn't listed.
  public static func requirements() -> [DependencyRequirement] {
    var seen: Set<ObjectIdentifier> = []
    return Self().requirements(below: [], &seen)
  }

  fileprivate func requirements(
    below parents: [String], _ seen: inout Set<ObjectIdentifier>
  ) -> [DependencyRequirement] {
    guard seen.insert(ObjectIdentifier(Self.self)).inserted else { return [] }
    let path = parents + ["\(Self.self)"]
    var requirements = declaredDependencies.map { declared in
      DependencyRequirement(
        environments: path, property: declared.name,
        entries: Explainer(node: declared.wrapper.scope)
          .explanation(of: declared.wrapper.keys, title: "").entries)
    }
    for derived in derivedEnvironments {
      requirements += derived.wrapper.anyEnvironment.requirements(below: path, &seen)
    }
    return requirements
  }
}
