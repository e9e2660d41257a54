/// A path from an enum to the payload of one of its cases, and back.
///
/// ```swift
/// enum AppAction {
///   case profile(ProfileAction)
///   case reset
/// }
///
/// let profile = CasePath(AppAction.profile) {
///   if case .profile(let action) = $0 { action } else { nil }
/// }
/// ```
///
/// A case path must follow two laws: it extracts what it embeds, and embedding what it extracts
/// returns the root.
@frozen
public struct CasePath<Root, Value>: Sendable {
  @usableFromInline let embedding: @Sendable (Value) -> Root
  @usableFromInline let extraction: @Sendable (Root) -> Value?
  /// The ids of the elements that the path leads to, the outermost first.
  @usableFromInline package var ids: [any Sendable] = []

  /// Creates a case path from a case and a closure that extracts its payload.
  ///
  /// ```swift
  /// CasePath(AppAction.profile) { if case .profile(let action) = $0 { action } else { nil } }
  /// ```
  ///
  /// - Parameters:
  ///   - embed: The case.
  ///   - extract: Returns the payload, or `nil` for another case. Extracting costs as much as this
  ///     closure.
  @inlinable
  public init(
    _ embed: @escaping @Sendable (Value) -> Root,
    extract: @escaping @Sendable (Root) -> Value?
  ) {
    self.embedding = embed
    self.extraction = extract
  }

  /// Creates a case path from its two directions.
  ///
  /// ```swift
  /// CasePath<AppAction, Void>(
  ///   embed: { .reset }, extract: { if case .reset = $0 { () } else { nil } })
  /// ```
  @inlinable
  @_disfavoredOverload  // With two trailing closures, both initializers match.
  public init(
    embed: @escaping @Sendable (Value) -> Root,
    extract: @escaping @Sendable (Root) -> Value?
  ) {
    self.init(embed, extract: extract)
  }

  /// Unavailable here: without a closure, a path needs reflection.
  @available(
    *, unavailable,
    message: """
      add a closure that extracts, `{ if case .found(let value) = $0 { value } else { nil } }`, or \
      import CasePathOperator
      """
  )
  public init(_ embed: @escaping @Sendable (Value) -> Root) { fatalError() }

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

  /// Changes the payload, if the root is in the path's case.
  ///
  /// ```swift
  /// search.modify(&screen) { $0.text = "" }
  /// ```
  ///
  /// The payload is extracted, changed and embedded again. If it contains an array, the first
  /// change copies the array. If `body` throws, the root doesn't change.
  ///
  /// - Returns: The result of `body`; `nil` if the root is in another case, which stays unchanged.
  @discardableResult
  public func modify<Result, Failure>(
    _ root: inout Root, _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result? {
    guard var value = extract(from: root) else { return nil }
    let result = try body(&value)
    root = embed(value)
    return result
  }

  /// Whether a root is in the path's case, for `switch` and `if case`.
  ///
  /// ```swift
  /// switch action {
  /// case profile: …
  /// default: …
  /// }
  /// ```
  public static func ~= (path: CasePath, root: Root) -> Bool {
    path.extract(from: root) != nil
  }

  /// Combines two paths: through this one, then through another.
  ///
  /// ```swift
  /// profile.appending(path: rename)  // from AppAction to the payload of ProfileAction.rename
  /// ```
  @inlinable
  public func appending<Leaf>(path: CasePath<Value, Leaf>) -> CasePath<Root, Leaf> {
    var appended = CasePath<Root, Leaf> {
      embed(path.embed($0))
    } extract: {
      extract(from: $0).flatMap(path.extract)
    }
    appended.ids = ids + path.ids
    return appended
  }

  /// The path to the actions of one row, for tests.
  ///
  /// ```swift
  /// let counter = CasePath(ListAction.counter) {
  ///   if case .counter(let id, let action) = $0 { (id, action) } else { nil }
  /// }
  ///
  /// await store.receive(counter[id: 1], .loaded(7)) { $0.counters[id: 1]?.number = 7 }
  /// await store.receive(counter[id: 1].appending(path: loaded))  // with any number
  /// ```
  public subscript<ID: Equatable & Sendable, Action>(id id: ID) -> CasePath<Root, Action>
  where Value == (ID, Action) {
    var row = CasePath<Root, Action> {
      embed((id, $0))
    } extract: {
      guard let (rowID, action) = extract(from: $0), rowID == id else { return nil }
      return action
    }
    row.ids = ids + [id]
    return row
  }
}

extension CasePath where Root == Value {
  /// The path from a value to itself.
  public static var identity: CasePath { CasePath({ $0 }, extract: { $0 }) }
}
