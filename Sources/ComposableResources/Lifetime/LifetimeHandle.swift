internal import ComposableDependencies

/// The innermost lifetime of a scope, and the resource whose code runs in that scope.
struct LifetimeHandle: Sendable {
  let lifetime: Lifetime
  /// The index of the resource that is opening or running in this scope.
  let resource: Int?

  /// The resource of another lifetime that this code runs for.
  ///
  /// A lifetime that begins inside an `open` belongs to the resource that is opening.
  func resource(in other: Lifetime) -> Int? {
    var handle = self
    while handle.lifetime !== other {
      guard let outer = handle.lifetime.outer else { return nil }
      handle = outer
    }
    return handle.resource
  }
}

/// The innermost lifetime of a scope.
enum LifetimeKey: UnrecordedKey {
  static var defaultValue: LifetimeHandle? { nil }
}
