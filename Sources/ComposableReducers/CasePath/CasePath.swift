/// A path from an enum to the payload of one of its cases, and back.
///
/// The short way to create one is the prefix operator, `/AppAction.profile`. The fast way spells
/// out both directions:
///
/// ```swift
/// CasePath<AppAction, ProfileAction>(
///   embed: { .profile($0) },
///   extract: { if case .profile(let action) = $0 { action } else { nil } }
/// )
/// ```
///
/// A case path must follow two laws: it extracts what it embeds, and embedding what it extracts
/// returns the root.
public struct CasePath<Root, Value>: Sendable {
  @usableFromInline let embedding: @Sendable (Value) -> Root
  @usableFromInline let extraction: @Sendable (Root) -> Value?
  /// Returns the case, if it is known or if embedding a given value decides it.
  @usableFromInline let name: (@Sendable (Value?) -> String?)?

  /// Creates a case path from its two directions.
  ///
  /// Extracting costs as much as the closure.
  @inlinable
  public init(
    embed: @escaping @Sendable (Value) -> Root,
    extract: @escaping @Sendable (Root) -> Value?
  ) {
    self.init(embed: embed, extract: extract, name: nil)
  }

  @inlinable
  init(
    embed: @escaping @Sendable (Value) -> Root,
    extract: @escaping @Sendable (Root) -> Value?,
    name: (@Sendable (Value?) -> String?)?
  ) {
    self.embedding = embed
    self.extraction = extract
    self.name = name
  }

  /// Returns a root in the path's case with a value as its payload.
  @inlinable
  public func embed(_ value: Value) -> Root {
    embedding(value)
  }

  /// Returns the payload if the root is in the path's case.
  @inlinable
  public func extract(from root: Root) -> Value? {
    extraction(root)
  }

  /// Combines two paths: through this one, then through another.
  ///
  /// `..` is its operator.
  ///
  /// ```swift
  /// (/AppAction.profile).appending(path: /ProfileAction.rename)
  /// ```
  @inlinable
  public func appending<Leaf>(path: CasePath<Value, Leaf>) -> CasePath<Root, Leaf> {
    CasePath<Root, Leaf>(
      embed: { embed(path.embed($0)) },
      extract: { extract(from: $0).flatMap(path.extract) },
      name: { value in
        let leaf = path.description(decidingBy: value)
        // Embedding through closures could do anything.
        let isSafe = !leaf.contains("CasePath<")
        let own = description(decidingBy: isSafe ? value.map(path.embed) : nil)
        return "\(own) .. \(leaf)"
      }
    )
  }
}

extension CasePath where Root == Value {
  /// The path from a value to itself, written `/.self` for short.
  public static var identity: CasePath {
    CasePath(embed: { $0 }, extract: { $0 }, name: { _ in "/\(Root.self).self" })
  }
}

extension CasePath: CustomStringConvertible {
  /// The case, such as `/AppAction.profile`, or the path's type if it consists of closures.
  ///
  /// If several cases of an enum have a payload of the same type, a path created by `/` knows its
  /// case only after its first use. Until then, its description is its type.
  public var description: String {
    description(decidingBy: nil)
  }

  /// Describes the path after deciding its case with a value, if several cases have such a payload.
  ///
  /// The value is embedded only by cases, never by closures.
  @usableFromInline
  package func description(decidingBy value: Value?) -> String {
    name?(value) ?? "CasePath<\(Root.self), \(Value.self)>"
  }
}
