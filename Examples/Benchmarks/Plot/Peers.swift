/// The costs of this library and of others, in nanoseconds of processor time, by a number of overrides.
///
/// Recorded on 2026-11-22, because the package depends on no other library. All three libraries are in one
/// process, and each property is of one run. The documentation explains how.
struct Peer {
  typealias Points = [(x: Double, y: Double)]

  let name: String
  /// One of the four in ``Plot``.
  let color: Int
  /// An `@Dependency` that is created and read in the scope.
  let wrapper: Points
  let current: Points
  let captured: Points
  /// Entering a scope that overrides one more dependency, and one that replaces an override.
  let enter: Points
  let replace: Points
  /// One of the overrides of one update, and of nested scopes, except those that `growth` measures.
  var update: Points = []
  var nested: Points = []

  static let all = [composable, swiftDependencies, dependence]

  static let composable = Peer(
    name: "this library", color: 0,
    wrapper: [(1, 4.7), (16, 6.0), (64, 4.7), (256, 5.3), (1_000, 6.3)],
    current: [(1, 18.0), (16, 18.7), (64, 18.5), (256, 18.5), (1_000, 19.4)],
    captured: [(1, 5.3), (16, 6.1), (64, 5.6), (256, 5.9), (1_000, 6.8)],
    enter: [(1, 120), (16, 129), (64, 130), (256, 130), (1_000, 128)],
    replace: [(1, 128), (16, 127), (64, 127), (256, 128), (1_000, 127)])

  static let swiftDependencies = Peer(
    name: "swift-dependencies", color: 1,
    wrapper: [(1, 294), (16, 788), (64, 2_418), (256, 8_683), (1_000, 33_895)],
    current: [(1, 69.4), (16, 70.0), (64, 72.1), (256, 70.8), (1_000, 70.2)],
    captured: [(1, 51.0), (16, 48.7), (64, 47.5), (256, 47.6), (1_000, 47.3)],
    enter: [(1, 182), (16, 289), (64, 695), (256, 2_268), (1_000, 8_865)],
    replace: [(1, 147), (16, 293), (64, 681), (256, 2_225), (1_000, 8_658)],
    update: [(1, 158), (8, 81), (16, 67), (64, 51), (256, 46), (1_000, 47)],
    nested: [(1, 155), (8, 212), (16, 260), (64, 516), (256, 1_640), (1_000, 8_808)])

  static let dependence = Peer(
    name: "dependence", color: 2,
    wrapper: [(1, 110), (16, 105), (64, 103), (256, 103), (1_000, 105)],
    current: [(1, 62.7), (16, 64.9), (64, 68.8), (256, 67.6), (1_000, 66.7)],
    captured: [(1, 51.3), (16, 49.0), (64, 49.7), (256, 50.1), (1_000, 50.2)],
    enter: [(1, 148), (16, 247), (64, 663), (256, 2_229), (1_000, 8_788)],
    replace: [(1, 120), (16, 258), (64, 642), (256, 2_187), (1_000, 8_567)],
    update: [(1, 134), (8, 72), (16, 58), (64, 43), (256, 38), (1_000, 38)],
    nested: [(1, 126), (8, 171), (16, 216), (64, 430), (256, 1_293), (1_000, 7_161)])
}
