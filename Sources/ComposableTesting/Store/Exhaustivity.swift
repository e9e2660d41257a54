/// How much of what happens in a ``TestStore`` a test has to assert.
public enum Exhaustivity: Sendable {
  /// All of it: each change of state, each action that an effect sends, and the end of each effect.
  case on

  /// Only what the test says: actions that it does not name are skipped, and of the state only what
  /// the closure sets is compared.
  case off
}
