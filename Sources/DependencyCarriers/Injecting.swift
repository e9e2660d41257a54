public import ComposableDependencies

extension DependencyScope {
  /// Writes the values of some dependencies for a call to carry.
  ///
  /// Reads each named dependency in this scope and passes its field and its text to `set`. Nothing
  /// else leaves the process.
  ///
  /// ```swift
  /// DependencyScope.current.inject(TenantKey.self, DeadlineKey.self) {
  ///   request.setValue($1, forHTTPHeaderField: $0)
  /// }
  /// ```
  ///
  /// If the key encodes its value as `nil`, the text is `nil`: remove the field, so that a request
  /// that you forward doesn't carry the value that you received.
  ///
  /// The text is valid in an HTTP header: visible ASCII, and spaces that aren't at either end.
  /// Everything else, and `%`, is percent-encoded.
  ///
  /// An issue is reported, and the value left out, if a field isn't a token, if it differs from an
  /// earlier one at most by case, or if the text is longer than 8,192 bytes. In the last case, the
  /// text is `nil`.
  ///
  /// - Throws: The error that `set` throws.
  public func inject<each Key: CarriedKey, E: Error>(
    _ keys: repeat (each Key).Type,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    into set: (_ field: String, _ text: String?) throws(E) -> Void
  ) throws(E) {
    try inject(repeat each keys, through: Fields(.closure, fileID, line), into: set)
  }

  /// Writes the values of some dependencies into W3C baggage.
  ///
  /// ```swift
  /// var baggage = Baggage()
  /// DependencyScope.current.inject(TenantKey.self, LocaleKey.self, into: &baggage)
  /// headers["baggage"] = baggage.header()
  /// ```
  ///
  /// A member with the same name is replaced. If the key encodes its value as `nil`, the member is
  /// removed, so that the process that you call doesn't read the value that you received.
  ///
  /// An issue is reported, and the value left out, if a field isn't a token, or an earlier key has
  /// the same one.
  public func inject<each Key: CarriedKey>(
    _ keys: repeat (each Key).Type,
    into baggage: inout Baggage,
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) {
    inject(repeat each keys, through: Fields(.baggage, fileID, line)) { baggage.set($0, to: $1) }
  }

  /// Writes the values of some dependencies into environment variables, one for each key.
  ///
  /// ```swift
  /// var environment = ProcessInfo.processInfo.environment
  /// DependencyScope.current.inject(TenantKey.self, intoEnvironment: &environment)
  /// process.environment = environment
  /// ```
  ///
  /// The name of a variable is ``CarriedKey/environmentVariable``. If the key encodes its value as
  /// `nil`, the variable is removed, so that a child process doesn't read the value that you
  /// inherited.
  ///
  /// An issue is reported, and the value left out, if a field isn't a token, if an earlier key has
  /// the same variable, or if the text is longer than 8,192 bytes.
  public func inject<each Key: CarriedKey>(
    _ keys: repeat (each Key).Type,
    intoEnvironment environment: inout [String: String],
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) {
    inject(repeat each keys, through: Fields(.environment, fileID, line)) { environment[$0] = $1 }
  }

  private func inject<each Key: CarriedKey, E: Error>(
    _ keys: repeat (each Key).Type,
    through fields: consuming Fields,
    into set: (_ name: String, _ text: String?) throws(E) -> Void
  ) throws(E) {
    for key in repeat each keys {
      guard let name = fields.add(key) else { continue }
      try set(name, key.encode(self[key]).flatMap { fields.encode($0, for: key) })
    }
  }
}
