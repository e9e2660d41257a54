/// What a scope finds of a key without a lock.
@usableFromInline
enum Lookup {
  /// Alive as long as the scope.
  case override(Unretained<Override>)
  /// Nothing overrides the key, sets it globally or aliases it.
  case defaultValue
  /// The default, which can be computed right here.
  case defaultHere
  /// Anything else.
  case elsewhere
}

extension Lookup {
  /// Decides without a lock, if the store knows nothing of the key, or the scope decides.
  ///
  /// - Parameters:
  ///   - use: What the store knows of the key.
  ///   - override: The override that the scope has of the key.
  init(_ use: GlobalKeys.Use, override: @autoclosure () -> Unretained<Override>?) {
    if use == .isAliased {
      self = .elsewhere
    } else if let override = override() {
      self = .override(override)
    } else {
      self = use == .none ? .defaultValue : .elsewhere
    }
  }
}
