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
