/// A value that is an object whose lifetime is counted.
final class Token: Sendable {
  let number: Int
  private let tally: Tally?

  /// - Parameter tally: Counts the object; defaults aren't counted.
  init(_ number: Int, countedBy tally: Tally? = nil) {
    self.number = number
    self.tally = tally
    tally?.add(1)
  }

  deinit { tally?.add(-1) }
}
