public import ComposableDependencies
internal import Synchronization

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A generator of identifiers.
///
/// ```swift
/// @Dependency(\.uuid) var uuid
/// let todo = Todo(id: uuid())
/// ```
public struct UUIDGenerator: Sendable {
  private let generate: @Sendable () -> UUID

  /// Creates a generator from a closure.
  public init(_ generate: @escaping @Sendable () -> UUID) {
    self.generate = generate
  }

  /// Returns a new identifier.
  public func callAsFunction() -> UUID { generate() }
}

extension UUIDGenerator {
  /// A generator of random identifiers.
  public static var live: Self { Self { UUID() } }

  /// Returns a generator of a constant identifier.
  public static func constant(_ uuid: UUID) -> Self {
    Self { uuid }
  }

  /// A generator of `00000000-0000-0000-0000-000000000000`, `…-000000000001`, and so on.
  ///
  /// No two calls return the same identifier, on any number of tasks. A new generator starts again.
  public static var incrementing: Self {
    let calls = Atomic<UInt64>(0)
    return Self { UUID(calls.wrappingAdd(1, ordering: .relaxed).oldValue) }
  }
}

extension UUID {
  /// Creates the identifier whose last eight bytes are a number.
  ///
  /// ``UUIDGenerator/incrementing`` returns `UUID(0)`, `UUID(1)`, and so on.
  ///
  /// - Parameter number: A number of at most 64 bits. A negative one differs in the eighth byte.
  public init(_ number: some BinaryInteger) {
    let magnitude = UInt64(truncatingIfNeeded: number.magnitude)
    let bytes = (0..<8).reversed().map { UInt8(truncatingIfNeeded: magnitude >> (8 * $0)) }
    self.init(
      uuid: (
        0, 0, 0, 0, 0, 0, 0, number < 0 ? 1 : 0, bytes[0], bytes[1], bytes[2], bytes[3], bytes[4],
        bytes[5], bytes[6], bytes[7]
      ))
  }
}

private enum UUIDKey: DependencyKey {
  static var defaultValue: UUIDGenerator { .live }
}

extension Dependencies {
  /// The generator of identifiers; ``UUIDGenerator/live`` by default.
  ///
  /// In a test, override it with ``UUIDGenerator/incrementing`` or ``UUIDGenerator/constant(_:)``.
  public var uuid: UUIDGenerator {
    get { self[UUIDKey.self] }
    set { self[UUIDKey.self] = newValue }
  }
}
