internal import ComposableDependencies

/// The innermost lifetime of a scope, and the resource whose code runs in that scope.
struct LifetimeHandle: Sendable {
  let lifetime: Lifetime
  /// The index of the resource that is opening or running in this scope.
  let resource: Int?

  /// The handle of another lifetime that this code runs for, which is around this one.
  ///
  /// A lifetime that begins inside an `open` belongs to the resource that is opening.
  func handle(in other: Lifetime) -> LifetimeHandle? {
    var handle = self
    while handle.lifetime.depth > other.depth, let outer = handle.lifetime.outer { handle = outer }
    return handle.lifetime === other ? handle : nil
  }
}

/// The innermost lifetime of a scope.
enum LifetimeKey: UnrecordedKey {
  static var defaultValue: LifetimeHandle? { nil }
}
