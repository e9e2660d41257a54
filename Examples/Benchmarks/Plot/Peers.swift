/// The costs of other libraries: the minimum in nanoseconds, by the number of overrides.
///
/// Measured once, together with this library in one process; the documentation explains how.
enum Peers {
  typealias Points = [(x: Double, y: Double)]

  enum SwiftDependencies {
    static let read: Points = [(1, 266), (4, 352), (8, 485), (16, 734), (64, 2284), (256, 8716)]
    static let enter: Points = [(1, 124), (4, 145), (8, 177), (16, 264), (64, 648), (256, 2123)]
  }

  enum Dependence {
    static let read: Points = [(1, 101), (4, 101), (8, 101), (16, 100), (64, 102), (256, 101)]
    static let enter: Points = [(1, 96), (4, 114), (8, 144), (16, 235), (64, 626), (256, 2102)]
  }
}
