import DependencyDebugging
import ComposableDependencies

/// A key, which a program identifies by its number.
struct Key: Sendable {
  enum Path: Sendable {
    case number(any WritableKeyPath<Dependencies, Int> & Sendable)
    case object(any WritableKeyPath<Dependencies, Token> & Sendable)
  }

  let path: Path
  /// Declares a dependency by its key, not by a key path.
  let declareByType: @Sendable () -> Declared
  /// Reads a scope by the key, not by a key path.
  let readByType: @Sendable (DependencyScope) -> Int

  let type: any DependencyKey.Type
  /// Explains the key's value in a scope.
  let explain: @Sendable (DependencyScope) -> Explanation.Entry

  var isObject: Bool { if case .object = path { true } else { false } }

  private static let indexes = Dictionary(
    uniqueKeysWithValues: all.enumerated().map { (ObjectIdentifier($0.element.type), $0.offset) })

  /// The number of a key; `nil` if it isn't one of these.
  static func index(of type: any DependencyKey.Type) -> Int? { indexes[ObjectIdentifier(type)] }

  /// Carries the key's value from one scope to another; `nil` for a key that can't be carried.
  let carry:
    (@Sendable (Carrier, _ from: DependencyScope, _ to: DependencyScope) -> DependencyScope)?

  static let count = 320

  static let all: [Key] = {
    let lowDigits = digits(16)
    return digits(count / 16).flatMap { high in lowDigits.map { make(high, $0) } }
  }()

  /// The properties of the first keys that are declared by name.
  static let named: [Path] = [
    .number(\.k0), .number(\.k1), .object(\.k2), .object(\.k3), .number(\.k4), .number(\.k5),
    .number(\.k6), .number(\.k7),
  ]

  private static func make<High: Digit, Low: Digit>(_: High.Type, _: Low.Type) -> Key {
    KeyKind(Number<High, Low>.value) == .object
      ? Key(
        path: .object(\.[object: Number<High, Low>()]),
        declareByType: { .object(Dependency(ObjectKey<High, Low>.self)) },
        readByType: { $0[ObjectKey<High, Low>.self].number },
        type: ObjectKey<High, Low>.self,
        explain: { $0.explain(ObjectKey<High, Low>.self).entries[0] },
        carry: nil)
      : Key(
        path: .number(\.[number: Number<High, Low>()]),
        declareByType: { .number(Dependency(NumberKey<High, Low>.self)) },
        readByType: { $0[NumberKey<High, Low>.self] },
        type: NumberKey<High, Low>.self,
        explain: { $0.explain(NumberKey<High, Low>.self).entries[0] },
        carry: { $0.carry(NumberKey<High, Low>.self, from: $1, to: $2) })
  }
}

/// A dependency declared by a wrapper.
enum Declared: Sendable {
  case number(Dependency<Int>)
  case object(Dependency<Token>)

  init(_ path: Key.Path) {
    switch path {
    case .number(let keyPath): self = .number(Dependency(keyPath))
    case .object(let keyPath): self = .object(Dependency(keyPath))
    }
  }

  var value: Int {
    switch self {
    case .number(let dependency): dependency.wrappedValue
    case .object(let dependency): dependency.wrappedValue.number
    }
  }
}
