/// An environment: the scope below it, and its own overrides.
struct ModelEnvironment {
  let type: EnvironmentType
  /// Its parent's scope, or the scope that created it.
  var base: ModelScope
  var own: [Change] = []
  /// Whether its own overrides were set again when it was derived, for the keys aliased by then.
  var isDerived = false
  var stored = 0
  /// The derived environments that were assigned to it, by slot.
  var given: [Int: ModelEnvironment] = [:]
}
