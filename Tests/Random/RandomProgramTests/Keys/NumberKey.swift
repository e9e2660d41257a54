import ComposableDependencies
import DependencyCarriers

/// The key of a number.
///
/// Some have a default computed from others; see ``KeyKind``.
enum NumberKey<High: Digit, Low: Digit>: CarriedKey {
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

  static var field: String { "k\(Number<High, Low>.value)" }

  static func encode(_ value: Int) -> String? {
    KeyKind(Number<High, Low>.value).travels(value) ? String(value) : nil
  }

  static func decode(_ text: String) -> Int? { Int(text) }

  static var testValue: Int {
    let index = Number<High, Low>.value
    return KeyKind(index) == .plain ? -5000 - index : defaultValue
  }
}
