extension CasePath {
  /// Changes the payload, if the root is in the path's case.
  ///
  /// ```swift
  /// (/Screen.search).modify(&screen) { $0.text = "" }
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
  /// case /AppAction.profile: …
  /// default: …
  /// }
  /// ```
  public static func ~= (path: CasePath, root: Root) -> Bool {
    path.extract(from: root) != nil
  }

  /// Combines two paths: through this one, then through another.
  ///
  /// ```swift
  /// /AppAction.profile .. /ProfileAction.rename
  /// ```
  public static func .. <Leaf>(
    path: CasePath, next: CasePath<Value, Leaf>
  ) -> CasePath<Root, Leaf> {
    path.appending(path: next)
  }
}

infix operator .. : CasePathPrecedence

precedencegroup CasePathPrecedence {
  associativity: left
  higherThan: MultiplicationPrecedence
}
