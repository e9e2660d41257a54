/// What a test's closure makes of two states, of which it asserts only the parts that it sets.
struct PartialMatch {
  let before: Any
  /// What the closure makes of the state before the action.
  let expected: Any
  let actual: Any
  /// What the closure makes of the actual state.
  let applied: Any

  /// Whether each part that the closure sets is as it expects.
  ///
  /// Looks into structures and tuples. Anything else is one part.
  var isMet: Bool { isMet(before, expected, actual, applied, depth: 0) }

  private func isMet(
    _ before: Any, _ expected: Any, _ actual: Any, _ applied: Any, depth: Int
  ) -> Bool {
    // A part that the closure sets to the value that it had differs in what it makes of the actual
    // state.
    if areEqual(expected, actual) { return true }
    if areEqual(before, expected), areEqual(applied, actual) { return true }
    let parts = [before, expected, actual, applied].map(parts)
    guard depth < Dump.depthLimit, !parts[0].isEmpty,
      parts.allSatisfy({ $0.count == parts[0].count })
    else { return false }
    return parts[0].indices.allSatisfy {
      isMet(parts[0][$0], parts[1][$0], parts[2][$0], parts[3][$0], depth: depth + 1)
    }
  }

  private func parts(of value: Any) -> [Any] {
    let mirror = Mirror(reflecting: value)
    let isComposed = mirror.displayStyle == .struct || mirror.displayStyle == .tuple
    return isComposed ? mirror.children.map(\.value) : []
  }
}
