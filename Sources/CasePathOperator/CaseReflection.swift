internal import ComposableCasePaths
internal import ComposableDependencies

/// Finds out how a path of the prefix operator `/` extracts its value.
enum CaseReflection {
  /// Returns the cases that have a payload of a type.
  ///
  /// Reports an issue if there are none.
  static func candidates(for value: Any.Type, in root: Any.Type) -> [CaseLocation] {
    if isStoredOtherwise(value) {
      report("functions and metatypes can't be extracted", root, value)
      return []
    }
    let locations = locations(of: value, in: root)
    if locations.isEmpty { report(obstacle(root, value), root, value) }
    return locations
  }

  /// Returns the path of a case without a payload.
  static func path<Root>(
    of root: @escaping @Sendable () -> Root
  ) -> CasePath<Root, Void> {
    let embedded = root()
    guard let location = location(of: embedded) else {
      report("the root isn't a Swift enum", Root.self, Void.self)
      return CasePath(embed: root, extract: { _ in nil })
    }
    let end = location.end
    if let found = EnumCase.all(of: end.type)?[Int(end.tag)], found.payload != nil {
      reportPayload(end.type, case: found.name)
    }
    return CasePath(embed: root, extract: { location.extract(Void.self, from: $0) })
  }

  /// Returns the cases with a payload, of a type and, for an optional, of the type that it wraps.
  private static func locations(of value: Any.Type, in root: Any.Type) -> [CaseLocation] {
    var locations: [CaseLocation] = []
    for (tag, one) in (EnumCase.all(of: root) ?? []).enumerated() {
      guard let payload = one.payload, TypeMetadata.areSame(payload, value) else { continue }
      let location = CaseLocation(root, tag: UInt32(tag), isIndirect: one.isIndirect)
      if let location { locations.append(location) }
    }
    if let optional = optional(root) {
      locations += Self.locations(of: value, in: optional.wrapped).compactMap {
        $0.inside(ofOptional: root)
      }
    }
    return locations
  }

  /// Returns the case of a value; for an optional of an enum, the case of the wrapped value.
  fileprivate static func location<Root>(of root: Root) -> CaseLocation? {
    if let inside = optional(Root.self)?.location(inside: root) {
      return inside.inside(ofOptional: Root.self)
    }
    return TypeMetadata.tag(of: root).flatMap { CaseLocation(Root.self, tag: $0) }
  }

  /// Whether values of a type are stored differently inside an enum.
  ///
  /// A function uses another calling convention if its type is generic, and a known metatype takes
  /// no space.
  private static func isStoredOtherwise(_ type: Any.Type) -> Bool {
    if let optional = optional(type) { return isStoredOtherwise(optional.wrapped) }
    if let elements = TypeMetadata.tupleElements(type) {
      return elements.contains(where: isStoredOtherwise)
    }
    return TypeMetadata.isFunctionOrMetatype(type)
  }

  /// Casts a type to an optional.
  ///
  /// Checking its kind first avoids a slow cast for most types.
  fileprivate static func optional(_ type: Any.Type) -> (any OptionalType.Type)? {
    TypeMetadata.kind(type) == TypeMetadata.optionalKind ? type as? any OptionalType.Type : nil
  }

  private static func obstacle(_ root: Any.Type, _ value: Any.Type) -> String {
    // Sound: only whether there are witnesses is read.
    if unsafe TypeMetadata.enumWitnesses(root) == nil { return "the root isn't a Swift enum" }
    if EnumCase.all(of: root) == nil { return "the root was built without reflection metadata" }
    return
      "no case has a payload of exactly that type (the compiler may have converted it)"
  }

  // Swift doesn't pass a source place to an operator, so the issues name the type instead.
  static func report(_ obstacle: String, _ root: Any.Type, _ value: Any.Type) {
    DependencyIssue(
      problem: """
        The prefix operator `/` can't extract \(value) from \(root): \(obstacle). The case path \
        never extracts a value.
        """,
      remedy: "write `CasePath<\(root), \(value)>(embed: { … }, extract: { … })`.",
      at: nil
    ).report()
  }

  private static func reportPayload(_ root: Any.Type, case name: String) {
    DependencyIssue(
      problem: """
        The operand of the prefix operator `/` is a \(root) that already has a payload. The case \
        path matches `\(name)` with any payload, and always embeds the payload that you wrote.
        """,
      remedy: "write `/\(root).\(name)`, without a payload.",
      at: nil
    ).report()
  }
}

/// `Optional`, seen from a type that may be one.
private protocol OptionalType {
  static var wrapped: Any.Type { get }

  /// Returns the case of the wrapped value; `nil` if there is none, or if it isn't an enum.
  static func location<Root>(inside root: Root) -> CaseLocation?
}

extension Optional: OptionalType {
  static var wrapped: Any.Type { Wrapped.self }

  static func location<Root>(inside root: Root) -> CaseLocation? {
    (root as! Self).flatMap { CaseReflection.location(of: $0) }
  }
}
