internal import RetainCounter

/// Counts the objects that code retains on this thread.
package enum Retains {
  package static var areCounted: Bool { retains_are_counted() }

  /// Returns how often an operation retains an object; 0 if that can't be counted.
  package static func count(in operation: () -> Void) -> Int {
    let before = retained_objects()
    operation()
    return Int(retained_objects() - before)
  }
}
