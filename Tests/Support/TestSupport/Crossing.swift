package import ComposableDependencies
internal import Synchronization
internal import Testing

/// A boundary of Swift's concurrency, with code on its other side that reads.
package struct Crossing: Sendable, CustomTestStringConvertible {
  /// The result of a plain read on the other side.
  package enum Finding: Sendable {
    case kept, lost, someoneElses
    /// Kept on the caller's thread, lost on others.
    case mixed
  }

  /// The scope in which a boundary is crossed; `a` is 10.
  package static let here = DependencyScope.root.with(\.a, 10)
  /// The scope of the other side's own code: consumers, cancellers, releasers; `a` is 99.
  package static let elsewhere = DependencyScope.root.with(\.a, 99)

  package let testDescription: String
  package let finding: Finding
  private let cross: @Sendable (_ read: @escaping Read, _ values: Values) async -> Void

  package typealias Read = @Sendable () -> Int

  package init(
    _ description: String, _ finding: Finding,
    cross: @escaping @Sendable (_ read: @escaping Read, _ values: Values) async -> Void
  ) {
    testDescription = description
    self.finding = finding
    self.cross = cross
  }

  /// Returns every value read on the other side; `makeRead` is called on this side.
  package func values(_ makeRead: () -> Read) async -> [Int] {
    let values = Values()
    await Self.here.run { await cross(makeRead(), values) }
    return values.all
  }

  package static let all = tasks + actors + threads + sequences + endings
}

/// The values that were read on the other side of a boundary.
package final class Values: Sendable {
  private let values = Mutex<[Int]>([])

  package init() {}

  package var all: [Int] { values.withLock { $0 } }

  package func add(_ value: Int) { values.withLock { $0.append(value) } }
}
