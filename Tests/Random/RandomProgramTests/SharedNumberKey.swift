import ComposableDependencies
import ComposableResources
import Synchronization
import TestSupport

/// What a shared key has made: a number, and which instance it is.
final class SharedNumber: Sendable {
  let value: Int
  let instance: Int

  private static let lastInstance = Atomic(0)
  /// Counts those that are alive in the process.
  static let alive = AliveCounter()
  private let tracked = Tracked(alive)
  /// What captured the scopes of `make`, or is a default that captured its own.
  private let captured: [any Sendable]

  init(_ value: Int, capturing captured: any Sendable...) {
    self.value = value
    self.captured = captured + [DependencyScope.current, Dependency(\.k4)]
    instance = Self.lastInstance.add(1, ordering: .relaxed).newValue
  }
}

/// Shared keys of many kinds.
///
/// The interpreter knows what they are made from by
/// `Interpreter.sharedValues`.
enum SharedNumberKey<Low: Digit>: SharedKey {
  static func make(_ needs: SharedInputs) -> SharedNumber {
    switch Low.value {
    case 0: return SharedNumber(needs[\.k0], capturing: needs)
    case 1:
      let number = needs[\.k1]
      let token = needs[\.k2]
      return SharedNumber(number + 3 * token.number, capturing: token)
    case 2: return SharedNumber(needs[\.k6])
    case 3:
      if needs[\.k0] % 2 == 0 { return SharedNumber(needs[\.k4]) }
      let token = needs[\.k3]
      return SharedNumber(token.number, capturing: token)
    case 4: return SharedNumber(needs[SharedNumberKey<Zero>.self].value + 5 * needs[\.k1])
    case 5: return SharedNumber(needs[\.k7] + 3 * needs[SharedNumberKey<Three>.self].value)
    case 6: return SharedNumber(42, capturing: needs)
    default: return SharedNumber(needs[\.withOwnK1] + needs[\.k4])
    }
  }
}

extension Dependencies {
  /// A shared value, where this property overrides one of its inputs itself.
  fileprivate var withOwnK1: Int {
    var dependencies = self
    dependencies.k1 = 77
    return dependencies[SharedNumberKey<One>.self].value
  }
}

/// A shared key that a program knows by its number.
enum SharedKeys {
  static let count = 8

  static let all: [@Sendable (DependencyScope, _ variant: Int) -> SharedNumber] = digits(count).map
  {
    reader($0)
  }

  private static func reader<Low: Digit>(
    _: Low.Type
  ) -> @Sendable (DependencyScope, Int) -> SharedNumber {
    { scope, variant in
      switch variant & 3 {
      case 0: scope[SharedNumberKey<Low>.self]
      case 1: scope.run { DependencyScope.current[SharedNumberKey<Low>.self] }
      case 2: scope.run { Dependency(SharedNumberKey<Low>.self) }.wrappedValue
      default: readGenerically(SharedNumberKey<Low>.self, in: scope)
      }
    }
  }

  private static func readGenerically<Key: DependencyKey<SharedNumber>>(
    _ key: Key.Type, in scope: DependencyScope
  ) -> SharedNumber {
    scope[key]
  }
}
