extension Effect {
  /// Makes this effect cancellable with an identifier.
  ///
  /// Identifiers belong to one store: two stores never cancel each other's effects. They are compared
  /// by type and value: `1` and `UInt8(1)` are different, and a private enum of a feature never equals
  /// the identifier of another feature.
  ///
  /// - Parameters:
  ///   - id: The identifier; several effects can share it.
  ///   - cancelInFlight: Whether to first cancel effects that already run under the identifier.
  public func cancellable(
    id: some Hashable & Sendable, cancelInFlight: Bool = false
  ) -> Effect {
    // An effect that does nothing may still cancel others.
    guard let node = node ?? (cancelInFlight ? EffectNode(.merge([])) : nil) else { return .none }
    return Effect(.cancellable(node, EffectID(id), cancelInFlight: cancelInFlight))
  }

  /// Cancels every effect of the store that runs under an identifier.
  ///
  /// The store cancels the tasks of these effects immediately, along with their child tasks. From
  /// then on, it reduces no action of these effects, even if an effect already sent it.
  public static func cancel(id: some Hashable & Sendable) -> Effect {
    Effect(.cancel([EffectID(id)]))
  }

  /// Cancels every effect of the store that runs under one of several identifiers, of any types.
  ///
  /// ```swift
  /// return .cancel(ids: [SearchID.typing, DownloadID(7)])
  /// ```
  public static func cancel(ids: [any Hashable & Sendable]) -> Effect {
    ids.isEmpty ? .none : Effect(.cancel(ids.map { EffectID($0) }))
  }
}
