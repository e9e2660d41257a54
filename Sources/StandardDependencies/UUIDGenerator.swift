public import ComposableDependencies

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Makes identifiers.
///
/// ```swift
/// @Dependency(\.uuid) var uuid
/// let todo = Todo(id: uuid())
/// ```
public struct UUIDGenerator: Sendable {
  private let generate: @Sendable () -> UUID

  /// Makes a generator of what a closure returns.
  public init(_ generate: @escaping @Sendable () -> UUID) {
    self.generate = generate
  }

  /// A new identifier.
  public func callAsFunction() -> UUID { generate() }
}

extension UUIDGenerator {
  /// Random identifiers, no two of them the same.
  public static var live: Self { Self { UUID() } }

  /// Always the same identifier.
  public static func constant(_ uuid: UUID) -> Self {
    Self { uuid }
  }

  /// The identifiers `00000000-0000-0000-0000-000000000000`, `…-000000000001` and so on.
  ///
  /// No two calls get the same one, from however many tasks; a new generator begins again.
  public static var incrementing: Self {
    let calls = CallCounter()
    return Self { UUID(calls.next()) }
  }
}

extension UUID {
  /// The identifier whose last eight bytes are a number, and the others zero.
  ///
  /// It is the one that ``UUIDGenerator/incrementing`` makes at the call of that number, counted
  /// from 0.
  public init(_ number: UInt64) {
    let bytes = (0..<8).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    self.init(
      uuid: (
        0, 0, 0, 0, 0, 0, 0, 0, bytes[0], bytes[1], bytes[2], bytes[3], bytes[4], bytes[5],
        bytes[6], bytes[7]
      ))
  }
}

private enum UUIDKey: DependencyKey {
  static var defaultValue: UUIDGenerator { .live }
}

extension Dependencies {
  /// Makes identifiers; ``UUIDGenerator/live`` by default.
  ///
  /// In a test override it with ``UUIDGenerator/incrementing`` or ``UUIDGenerator/constant(_:)``.
  public var uuid: UUIDGenerator {
    get { self[UUIDKey.self] }
    set { self[UUIDKey.self] = newValue }
  }
}
