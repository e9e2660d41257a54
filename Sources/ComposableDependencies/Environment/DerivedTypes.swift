#if DEBUG
  internal import Synchronization

  /// The types of the derived environments that a piece of code declares.
  final class DerivedTypes: Sendable {
    @TaskLocal private static var current: DerivedTypes?

    private let types = Mutex<Set<ObjectIdentifier>>([])

    static func created<Environment>(by create: () -> Environment) -> Set<ObjectIdentifier> {
      let all = DerivedTypes()
      _ = $current.withValue(all, operation: create)
      return all.types.withLock { $0 }
    }

    static func note(_ type: any DependencyEnvironment.Type) {
      current?.types.withLock { _ = $0.insert(ObjectIdentifier(type)) }
    }
  }
#endif
