/// The events in a ``TestStore`` that a test must assert.
public enum Exhaustivity: Equatable, Sendable {
  /// The test asserts everything: each state change, each action that an effect sends, and the end
  /// of each effect.
  case on

  /// The test skips what it doesn't assert: other received actions, and state changes that its
  /// closures don't make.
  ///
  /// A closure changes the state after the action, and must leave it as it is. So set what you expect,
  /// as in `$0.count = 2`: a relative change such as `$0.count += 1` fails the test.
  ///
  /// With `showingSkipped`, skipped events appear as warnings, which don't fail the test. Under
  /// XCTest, they are printed. To find what a closure skips, the test calls it a second time, with the
  /// state before the action.
  case off(showingSkipped: Bool)

  /// The test silently skips what it doesn't assert.
  public static let off = Exhaustivity.off(showingSkipped: false)

  /// Not available: write ``off(showingSkipped:)``.
  @available(*, unavailable, renamed: "off(showingSkipped:)")
  public static func off(showSkippedAssertions: Bool) -> Exhaustivity { .off }

  var showsSkipped: Bool { self == .off(showingSkipped: true) }
}
