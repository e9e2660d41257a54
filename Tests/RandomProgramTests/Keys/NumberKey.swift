import ComposableDependencies

/// The key of a number; some have a default that is made from others, see ``KeyKind``.
enum NumberKey<High: Digit, Low: Digit>: DependencyKey {
  static var defaultValue: Int {
    let index = Number<High, Low>.value
    let scope = DependencyScope.current
    switch KeyKind(index) {
    case .readsNeighbor: return scope[Key.all[index - 1]] + 1000
    case .readsNeighbors: return scope[Key.all[index - 1]] + 3 * scope[Key.all[index - 2]]
    case .readsFirst: return scope[Key.all[0]] + 2000
    default: return -1 - index
    }
  }

  static var testValue: Int {
    let index = Number<High, Low>.value
    return KeyKind(index) == .plain ? -5000 - index : defaultValue
  }
}
