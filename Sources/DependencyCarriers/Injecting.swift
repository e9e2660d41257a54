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
    var fields = Fields(.closure, fileID, line)
    for key in repeat each keys {
      guard fields.add(key) else { continue }
      let text = encode(key).flatMap { fields.fitting(FieldText.encode($0), for: key) }
      try set(key.field, text)
    }
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
    var fields = Fields(.baggage, fileID, line)
    for key in repeat each keys {
      if fields.add(key) { baggage.set(key.field, to: encode(key)) }
    }
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
    var fields = Fields(.environment, fileID, line)
    for key in repeat each keys {
      guard fields.add(key) else { continue }
      environment[key.environmentVariable] = encode(key).flatMap {
        fields.fitting(FieldText.encode($0), for: key)
      }
    }
  }

  private func encode<Key: CarriedKey>(_ key: Key.Type) -> String? {
    key.encode(self[key])
  }
}

extension Fields {
  /// Returns the text, or `nil` after reporting that it is too long.
  fileprivate func fitting<Key: CarriedKey>(_ text: String, for key: Key.Type) -> String? {
    if text.utf8.count <= longestText { return text }
    report(
      "The value of \(key) encodes to more than 8,192 bytes, so `\(key.field)` isn't sent.",
      remedy: "send an identifier, and look up the value in the other process.")
    return nil
  }
}
