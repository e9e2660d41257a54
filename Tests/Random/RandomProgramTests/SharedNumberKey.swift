import ComposableDependencies
import Synchronization

/// What a shared key has made: a number, and which instance it is.
final class SharedNumber: Sendable {
  let value: Int
  let instance: Int

  private static let lastInstance = Atomic(0)
  private static let alive = Atomic(0)
  /// How many are alive in the process.
  static var aliveCount: Int { alive.load(ordering: .acquiring) }

  init(_ value: Int) {
    self.value = value
    instance = Self.lastInstance.add(1, ordering: .relaxed).newValue
    Self.alive.add(1, ordering: .acquiringAndReleasing)
  }

  deinit { Self.alive.add(-1, ordering: .acquiringAndReleasing) }
}

/// Shared keys of many kinds.
///
/// The interpreter knows what they are made from by
/// `Interpreter.sharedValues`.
enum SharedNumberKey<Low: Digit>: SharedKey {
  static func make() -> SharedNumber {
    let scope = DependencyScope.current
    return switch Low.value {
    case 0: SharedNumber(scope.k0)
    case 1: SharedNumber(scope.k1 + 3 * scope.k2.number)
    case 2: SharedNumber(scope[Key.all[6]])
    case 3: SharedNumber(scope.k0 % 2 == 0 ? scope.k4 : scope.k3.number)
    case 4: SharedNumber(scope[SharedNumberKey<Zero>.self].value + 5 * scope.k1)
    case 5: SharedNumber(scope.k7 + 3 * scope[SharedNumberKey<Three>.self].value)
    case 6: SharedNumber(42)
    default:
      withDependencies {
        $0.k1 = 77
      } operation: {
        SharedNumber(DependencyScope.current[SharedNumberKey<One>.self].value + scope.k4)
      }
    }
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
