extension Effect {
  /// Lets this effect be cancelled by an identifier.
  ///
  /// Identifiers belong to one store: two stores never cancel each other's effects. They are compared
  /// by value and type; a private enum of a feature is never another feature's.
  ///
  /// - Parameters:
  ///   - id: The identifier; several effects may share it.
  ///   - cancelInFlight: Whether to cancel first what runs under the identifier already.
  public func cancellable(
    id: some Hashable & Sendable, cancelInFlight: Bool = false
  ) -> Effect {
    Effect(operation: .cancellable(self, id: EffectID(id), cancelInFlight: cancelInFlight))
  }

  /// Cancels every effect of the store that runs under an identifier.
  ///
  /// Their tasks are cancelled at once, their children with them. An action that one of them has sent
  /// already is reduced; what it sends afterwards is ignored.
  public static func cancel(id: some Hashable & Sendable) -> Effect {
    Effect(operation: .cancel(id: EffectID(id)))
  }
}
