import ComposableDependencies
import DependencyCarriers
import DependencyDebugging
import TestSupport

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
        declareByType: {
          { [wrapper = Dependency(ObjectKey<High, Low>.self)] in wrapper.wrappedValue.number }
        },
        readByType: { $0[ObjectKey<High, Low>.self].number },
        type: ObjectKey<High, Low>.self,
        explain: { $0.explain(ObjectKey<High, Low>.self).entries[0] },
        carry: nil)
      : Key(
        path: .number(\.[number: Number<High, Low>()]),
        declareByType: {
          { [wrapper = Dependency(NumberKey<High, Low>.self)] in wrapper.wrappedValue }
        },
        readByType: { $0[NumberKey<High, Low>.self] },
        type: NumberKey<High, Low>.self,
        explain: { $0.explain(NumberKey<High, Low>.self).entries[0] },
        carry: { $0.carry(NumberKey<High, Low>.self, from: $1, to: $2) })
  }
}

/// Reads a dependency that a wrapper declares.
typealias Declared = @Sendable () -> Int

extension Key.Path {
  /// Declares a dependency in the current scope.
  func declare() -> Declared {
    switch self {
    case .number(let keyPath): { [wrapper = Dependency(keyPath)] in wrapper.wrappedValue }
    case .object(let keyPath): { [wrapper = Dependency(keyPath)] in wrapper.wrappedValue.number }
    }
  }
}

/// The kind of a key, by its index.
enum KeyKind {
  /// A number that is never aliased.
  case base
  /// A number with its own test value.
  case plain
  case object
  /// A number without a test value.
  case simple
  /// Its default is computed from the previous key.
  case readsNeighbor
  /// Its default is computed from the two previous keys.
  case readsNeighbors
  /// Its default is computed from the first key.
  case readsFirst

  init(_ index: Int) {
    let kinds: [KeyKind] = [
      .base, .plain, .object, .object, .simple, .readsNeighbor, .readsNeighbors, .readsFirst,
    ]
    self = kinds[index % 8]
  }

  /// Whether a value of such a key gets through a carrier.
  func travels(_ value: Int) -> Bool {
    switch self {
    case .object: false  // whose key is no `CarriedKey`
    case .simple: value >= 0
    default: true
    }
  }

  /// Whether a key of this kind may be the target of aliases.
  ///
  /// No default may read keys that could be aliased to it.
  var canBeRoot: Bool {
    switch self {
    case .plain, .object, .simple, .readsFirst: true
    case .base, .readsNeighbor, .readsNeighbors: false
    }
  }
}

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

/// The key of an object.
enum ObjectKey<High: Digit, Low: Digit>: DependencyKey {
  static var defaultValue: Token {
    Token(-1 - Number<High, Low>.value, capturing: Dependency(\.k0))
  }
}

/// A value that is an object whose lifetime is counted.
final class Token: Sendable {
  let number: Int
  private let tracked: Tracked?
  private let captured: Dependency<Int>?

  /// - Parameters:
  ///   - counter: Counts the object; defaults aren't counted.
  ///   - captured: What captures the scope, as defaults do.
  init(
    _ number: Int, countedBy counter: AliveCounter? = nil,
    capturing captured: Dependency<Int>? = nil
  ) {
    self.number = number
    self.captured = captured
    tracked = counter.map { Tracked($0) }
  }
}

/// Types for numbers, which provide as many key types as a program needs.
protocol Digit: SendableMetatype {
  static var value: Int { get }
}

extension Digit {
  static var next: any Digit.Type { Next<Self>.self }
}

enum Zero: Digit {
  static var value: Int { 0 }
}

enum Next<Before: Digit>: Digit {
  static var value: Int { Before.value + 1 }
}

typealias One = Next<Zero>
typealias Two = Next<One>
typealias Three = Next<Two>
typealias Four = Next<Three>
typealias Five = Next<Four>
typealias Six = Next<Five>
typealias Seven = Next<Six>

/// A number of two digits to the base of 16.
struct Number<High: Digit, Low: Digit>: Hashable, Sendable {
  static var value: Int { High.value * 16 + Low.value }
  // Swift considers key paths equal that differ only in a generic type.
  private let value = Self.value
}

/// The first types for numbers.
func digits(_ count: Int) -> [any Digit.Type] {
  Array(sequence(first: Zero.self as any Digit.Type, next: { $0.next }).prefix(count))
}

extension Dependencies {
  subscript<High: Digit, Low: Digit>(number number: Number<High, Low>) -> Int {
    get { self[NumberKey<High, Low>.self] }
    set { self[NumberKey<High, Low>.self] = newValue }
  }

  subscript<High: Digit, Low: Digit>(object number: Number<High, Low>) -> Token {
    get { self[ObjectKey<High, Low>.self] }
    set { self[ObjectKey<High, Low>.self] = newValue }
  }

  subscript(key: Key) -> Int {
    switch key.path {
    case .number(let keyPath): self[keyPath: keyPath]
    case .object(let keyPath): self[keyPath: keyPath].number
    }
  }

  mutating func set(_ path: Key.Path, _ value: Int, countedBy counter: AliveCounter) {
    switch path {
    case .number(let keyPath): self[keyPath: keyPath] = value
    case .object(let keyPath): self[keyPath: keyPath] = Token(value, countedBy: counter)
    }
  }

  /// Computed from a plain key, an object, and a key with a computed default.
  var blend: Int { k1 + 3 * k2.number + 7 * k6 }
}

extension DependencyScope {
  subscript(path: Key.Path) -> Int {
    switch path {
    case .number(let keyPath): self[keyPath]
    case .object(let keyPath): self[keyPath].number
    }
  }

  subscript(key: Key) -> Int { self[key.path] }
}

// The first keys again, as properties with names.
extension Dependencies {
  var k0: Int {
    get { self[NumberKey<Zero, Zero>.self] }
    set { self[NumberKey<Zero, Zero>.self] = newValue }
  }

  var k1: Int {
    get { self[NumberKey<Zero, One>.self] }
    set { self[NumberKey<Zero, One>.self] = newValue }
  }

  var k2: Token {
    get { self[ObjectKey<Zero, Two>.self] }
    set { self[ObjectKey<Zero, Two>.self] = newValue }
  }

  var k3: Token {
    get { self[ObjectKey<Zero, Three>.self] }
    set { self[ObjectKey<Zero, Three>.self] = newValue }
  }

  var k4: Int {
    get { self[NumberKey<Zero, Four>.self] }
    set { self[NumberKey<Zero, Four>.self] = newValue }
  }

  var k5: Int {
    get { self[NumberKey<Zero, Five>.self] }
    set { self[NumberKey<Zero, Five>.self] = newValue }
  }

  var k6: Int {
    get { self[NumberKey<Zero, Six>.self] }
    set { self[NumberKey<Zero, Six>.self] = newValue }
  }

  var k7: Int {
    get { self[NumberKey<Zero, Seven>.self] }
    set { self[NumberKey<Zero, Seven>.self] = newValue }
  }
}

/// A carrier from one process to another.
enum Carrier: Int, CaseIterable {
  case fields
  case baggage
  case environment

  func carry<Key: CarriedKey>(
    _ key: Key.Type, from scope: DependencyScope, to other: DependencyScope
  ) -> DependencyScope {
    var fields: [String: String] = [:]
    switch self {
    case .fields:
      scope.inject(key) { fields[$0] = $1 }
      return other.extracting(key) { fields[$0] }
    case .baggage:
      var baggage = Baggage("other=1")
      scope.inject(key, into: &baggage)
      return other.extracting(key, from: Baggage(baggage.header()))
    case .environment:
      scope.inject(key, intoEnvironment: &fields)
      return other.extracting(key, fromEnvironment: fields)
    }
  }
}
