/// The events in a ``TestStore`` that a test must assert.
public enum Exhaustivity: Equatable, Sendable {
  /// The test asserts everything: each state change, each action that an effect sends, and the end
  /// of each effect.
  case on

  /// The test skips what it doesn't assert: other received actions, and state changes that its
  /// closures don't make. To find out what a closure sets, the test may call it several times, with
  /// different states.
  ///
  /// With `showingSkipped`, skipped events appear as warnings, which don't fail the test. Under
  /// XCTest, they are printed.
  case off(showingSkipped: Bool)

  /// The test silently skips what it doesn't assert.
  public static let off = Exhaustivity.off(showingSkipped: false)

  var showsSkipped: Bool { self == .off(showingSkipped: true) }
}
