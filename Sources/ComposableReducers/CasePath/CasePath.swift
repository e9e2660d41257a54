/// A way from an enum to the payload of one of its cases, and back.
///
/// The fast way to make one tells both directions:
///
/// ```swift
/// CasePath<AppAction, ProfileAction>(
///   embed: { .profile($0) },
///   extract: { if case .profile(let action) = $0 { action } else { nil } }
/// )
/// ```
///
/// The short way is the prefix operator, `/AppAction.profile`, which finds the payload by
/// reflection. Measured against the closures above, in a release build, extracting by it costs
/// 2 to 6 times as much from another case, and 100 to 800 times as much, one or two microseconds,
/// from the case itself. A case without payload costs 4 times as much, in either case.
///
/// A case path keeps two laws: what was embedded is extracted again, and embedding what was
/// extracted gives the root again.
public struct CasePath<Root, Value>: Sendable {
  private let embedding: @Sendable (Value) -> Root
  private let extraction: @Sendable (Root) -> Value?

  /// Makes a case path from its two directions; extracting costs what the closure costs.
  public init(
    embed: @escaping @Sendable (Value) -> Root,
    extract: @escaping @Sendable (Root) -> Value?
  ) {
    self.embedding = embed
    self.extraction = extract
  }

  /// The root in the path's case, with a value as its payload.
  public func embed(_ value: Value) -> Root {
    embedding(value)
  }

  /// The payload, where the root is in the path's case.
  public func extract(from root: Root) -> Value? {
    extraction(root)
  }

  /// The path through this one and on through another.
  ///
  /// ```swift
  /// (/AppAction.profile).appending(path: /ProfileAction.rename)
  /// ```
  public func appending<Leaf>(path: CasePath<Value, Leaf>) -> CasePath<Root, Leaf> {
    CasePath<Root, Leaf>(
      embed: { embed(path.embed($0)) },
      extract: { extract(from: $0).flatMap(path.extract) }
    )
  }
}

extension CasePath where Root == Value {
  /// The path from a value to itself; `/.self` for short.
  public static var identity: CasePath {
    CasePath(embed: { $0 }, extract: { $0 })
  }
}
