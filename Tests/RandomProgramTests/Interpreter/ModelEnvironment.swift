/// An environment: the scope below it, and what was set on itself.
struct ModelEnvironment {
  let type: EnvironmentType
  /// Its parent's scope, or the one in which it was created.
  var base: ModelScope
  var own: [Change] = []
  var stored = 0
  /// The derived environments that were given to it, by their slots.
  var given: [Int: ModelEnvironment] = [:]
}
