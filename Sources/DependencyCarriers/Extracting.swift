public import ComposableDependencies

extension DependencyScope {
  /// Returns this scope with the values that a call carried.
  ///
  /// Calls `get` with the field of each named key, and overrides its dependency with the result of
  /// `decode`. Nothing else is read.
  ///
  /// ```swift
  /// let scope = DependencyScope.current.extracting(TenantKey.self, DeadlineKey.self) {
  ///   request.headers.first(name: $0)
  /// }
  /// return try await scope.run { try await respond(to: request) }
  /// ```
  ///
  /// A dependency keeps its value in this scope if its field is missing, malformed, longer than
  /// 8,192 bytes, or rejected by `decode`. All but the first are reported, with the name of the
  /// field, but never its content.
  ///
  /// - Throws: The error that `get` throws.
  public func extracting<each Key: CarriedKey, E: Error>(
    _ keys: repeat (each Key).Type,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    from get: (_ field: String) throws(E) -> String?
  ) throws(E) -> DependencyScope {
    try extracting(repeat each keys, through: Fields(.closure, fileID, line)) {
      (name) throws(E) in try get(name).map(Received.init(decoding:))
    }
  }

  /// Returns this scope with the values in W3C baggage.
  ///
  /// ```swift
  /// let baggage = Baggage(request.headers["baggage"])
  /// let scope = DependencyScope.current.extracting(TenantKey.self, from: baggage)
  /// ```
  ///
  /// A dependency keeps its value in this scope if the baggage has no member with its name. It also
  /// does if there are several, or if `decode` rejects the member; both are reported.
  public func extracting<each Key: CarriedKey>(
    _ keys: repeat (each Key).Type,
    from baggage: Baggage,
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) -> DependencyScope {
    extracting(repeat each keys, through: Fields(.baggage, fileID, line)) { baggage.value(of: $0) }
  }

  /// Returns this scope with the values of environment variables.
  ///
  /// ```swift
  /// let scope = DependencyScope.current.extracting(
  ///   TenantKey.self, fromEnvironment: ProcessInfo.processInfo.environment)
  /// ```
  ///
  /// The name of a variable is ``CarriedKey/environmentVariable``. If a variable is missing,
  /// malformed or too long, its dependency keeps its value, as with other carriers.
  public func extracting<each Key: CarriedKey>(
    _ keys: repeat (each Key).Type,
    fromEnvironment environment: [String: String],
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) -> DependencyScope {
    extracting(repeat each keys, through: Fields(.environment, fileID, line)) {
      environment[$0].map(Received.init(decoding:))
    }
  }

  private func extracting<each Key: CarriedKey, E: Error>(
    _ keys: repeat (each Key).Type,
    through fields: consuming Fields,
    from get: (_ name: String) throws(E) -> Received?
  ) throws(E) -> DependencyScope {
    var scope = self
    for key in repeat each keys {
      guard let name = fields.add(key), let received = try get(name) else { continue }
      scope = scope.receiving(received, for: key, fields)
    }
    return scope
  }

  private func decode<Key: CarriedKey>(_ text: String, _ key: Key.Type) -> Key.Value? {
    // The limit is in the scope of the server, which needn't be current yet.
    key == DeadlineKey.self
      ? DeadlineKey.decode(text, longest: self.longestDeadline) as! Key.Value? : key.decode(text)
  }

  private func receiving<Key: CarriedKey>(
    _ received: Received, for key: Key.Type, _ fields: Fields
  ) -> DependencyScope {
    if case .text(let text) = received, let value = decode(text, key) {
      return with({ $0[key] = value }, fileID: fields.place.fileID, line: fields.place.line)
    }
    let reason =
      switch received {
      case .text: "can't be decoded"
      case .malformed: "is malformed"
      case .tooLong: "is longer than 8,192 bytes"
      case .ambiguous: "occurs more than once"
      }
    fields.report(
      "The received field `\(key.field)` \(reason), so \(key) keeps its current value.",
      remedy: "write the field with `inject` and the same key in the sender.")
    return self
  }
}

/// What a carrier received under one name.
enum Received: Equatable {
  case text(String)
  case malformed
  case tooLong
  case ambiguous

  /// Reads a field that holds one value, as an HTTP header or an environment variable does.
  init(decoding text: String) {
    if text.utf8.count > longestText {
      self = .tooLong
    } else if text.utf8.allSatisfy({ 0x20...0x7E ~= $0 && $0 != UInt8(ascii: "%") }) {
      // Mostly, nothing is encoded.
      self = .text(text)
    } else if text.utf8.allSatisfy({ 0x20...0x7E ~= $0 }), let text = percentDecoded(text.utf8) {
      self = .text(text)
    } else {
      self = .malformed
    }
  }
}
