internal import ComposableDependencies

/// How the prefix operator `/` finds out how to extract.
enum CaseReflection {
  /// The extraction that undoes a case's constructor.
  static func extraction<Root, Value>(
    embed: @escaping @Sendable (Value) -> Root?
  ) -> @Sendable (Root) -> Value? {
    if let optional = Root.self as? any OptionalType.Type {
      return optional.extraction(embed: embed)
    }
    if let obstacle = obstacle(Root.self, Value.self) {
      report(obstacle, Root.self, Value.self)
      return { _ in nil }
    }
    return ReflectedCase.extraction(embed: embed)
  }

  /// The extraction of a case without payload.
  static func extraction<Root>(of root: Root) -> @Sendable (Root) -> Void? {
    guard let tag = TypeMetadata.tag(of: root) else {
      report("it is no Swift enum", Root.self, Void.self)
      return { _ in nil }
    }
    if !(Root.self is any CustomReflectable.Type),
      let payload = Mirror(reflecting: root).children.first
    {
      reportPayload(Root.self, case: payload.label)
    }
    return { TypeMetadata.tag(of: $0) == tag ? () : nil }
  }

  /// Whether values of a type look otherwise inside of an enum than on their own.
  ///
  /// A function is called by another convention where its type is generic, and a metatype that is
  /// known takes no space; reflection hands out the bytes as they are.
  static func isStoredOtherwise(_ type: Any.Type) -> Bool {
    if let optional = type as? any OptionalType.Type { return isStoredOtherwise(optional.wrapped) }
    if let elements = TypeMetadata.tupleElements(type) {
      return elements.contains(where: isStoredOtherwise)
    }
    return TypeMetadata.isFunctionOrMetatype(type)
  }

  private static func obstacle(_ root: Any.Type, _ value: Any.Type) -> String? {
    if !TypeMetadata.hasCases(root) { return "it is no Swift enum" }
    if root is any CustomReflectable.Type { return "it is CustomReflectable" }
    if isStoredOtherwise(value) { return "functions and metatypes cannot be reflected" }
    return nil
  }

  // Swift tells an operator no place, so the issues name the type instead.
  private static func report(_ obstacle: String, _ root: Any.Type, _ value: Any.Type) {
    DependencyIssue(
      problem: """
        The prefix operator `/` cannot extract a \(value) from a \(root): \(obstacle). The case \
        path never extracts anything.
        """,
      remedy: "CasePath<\(root), \(value)>(embed: { … }, extract: { … }).",
      at: nil
    ).report()
  }

  private static func reportPayload<Root>(_ root: Root.Type, case name: String?) {
    let name = name ?? "…"
    DependencyIssue(
      problem: """
        The prefix operator `/` was given a value of \(root) with a payload. The case path stands \
        for the case `\(name)` whatever its payload, and embeds the value that it was given.
        """,
      remedy: "/\(root).\(name), the case itself.",
      at: nil
    ).report()
  }
}

/// `Optional`, reached from a type that may be one.
private protocol OptionalType {
  static var wrapped: Any.Type { get }

  static func extraction<Root, Value>(
    embed: @escaping @Sendable (Value) -> Root?
  ) -> @Sendable (Root) -> Value?
}

// `Optional` is CustomReflectable, and a case of what it wraps converts to a case of it.
extension Optional: OptionalType {
  static var wrapped: Any.Type { Wrapped.self }

  static func extraction<Root, Value>(
    embed: @escaping @Sendable (Value) -> Root?
  ) -> @Sendable (Root) -> Value? {
    if Wrapped.self == Value.self {
      return { root in (root as! Self).map { $0 as! Value } }
    }
    let extraction: @Sendable (Wrapped) -> Value? = CaseReflection.extraction { value in
      embed(value).flatMap { $0 as! Self }
    }
    return { root in (root as! Self).flatMap(extraction) }
  }
}
