/// What others cost: the least of the samples in nanoseconds, by the number of overrides in force.
///
/// Measured once, beside this library in one process; the documentation tells how.
enum Peers {
  typealias Points = [(x: Double, y: Double)]

  enum SwiftDependencies {
    static let read: Points = [(1, 277), (4, 366), (8, 486), (16, 778), (64, 2464), (256, 8984)]
    static let enter: Points = [(1, 128), (4, 149), (8, 182), (16, 272), (64, 682), (256, 2219)]
  }

  enum Dependence {
    static let read: Points = [(1, 102), (4, 102), (8, 102), (16, 102), (64, 102), (256, 103)]
    static let enter: Points = [(1, 99), (4, 119), (8, 152), (16, 241), (64, 664), (256, 2156)]
  }
}
