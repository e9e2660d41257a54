/// The one task-local of the library, and the only place that binds it.
@usableFromInline
enum CurrentScope {
  /// Not an optional, which the generic code of task-locals copies in several steps.
  private struct Scope: Sendable {
    var node: OverrideNode?
  }

  @TaskLocal private static var scope = Scope()

  static var node: OverrideNode? { scope.node }

  @usableFromInline static var current: OverrideNode? { node }

  static var store: GlobalStore { node.store }

  /// Runs `operation` with exactly these overrides in force; binds nothing where they already are.
  @_alwaysEmitIntoClient
  static func enter<R, E: Error>(
    _ node: OverrideNode?, _ operation: () throws(E) -> R
  ) throws(E) -> R {
    try isInForce(node) ? operation() : push(node, operation)
  }

  @_alwaysEmitIntoClient
  nonisolated(nonsending) static func enter<R, E: Error>(
    _ node: OverrideNode?, _ operation: nonisolated(nonsending) () async throws(E) -> R
  ) async throws(E) -> R {
    try await isInForce(node) ? operation() : push(node, operation)
  }

  /// Runs `operation` with these overrides in force, which are known not to be.
  @_alwaysEmitIntoClient
  static func push<R, E: Error>(
    _ node: OverrideNode?, _ operation: () throws(E) -> R
  ) throws(E) -> R {
    var result: R?
    var failure: E?
    bind(node) {
      do throws(E) { result = try operation() } catch { failure = error }
    }
    if let failure { throw failure }
    return result!
  }

  @_alwaysEmitIntoClient
  nonisolated(nonsending) static func push<R, E: Error>(
    _ node: OverrideNode?, _ operation: nonisolated(nonsending) () async throws(E) -> R
  ) async throws(E) -> R {
    var result: Result<R, E>?
    await bind(node) {
      do throws(E) { result = .success(try await operation()) } catch { result = .failure(error) }
    }
    return try result!.get()
  }

  /// What is in force, with more overrides and without marks, and whether that makes it another.
  @_alwaysEmitIntoClient
  static func updated(
    _ update: (inout Dependencies) -> Void
  ) -> (node: OverrideNode?, isNew: Bool) {
    let (before, unmarked) = inForce
    var dependencies = Dependencies(node: unmarked)
    update(&dependencies)
    let after = unsafe unsafeBitCast(dependencies.node, to: UInt.self)
    return (dependencies.node, before != after)
  }

  /// What is in force, by its bits, because a reference would be one more to retain; and the same
  /// without marks.
  @usableFromInline
  static var inForce: (bits: UInt, unmarked: OverrideNode?) {
    let node = node
    let bits = unsafe unsafeBitCast(node, to: UInt.self)
    return node.isMarked ? (bits, node.unmarked) : (bits, node)
  }

  @usableFromInline
  static func isInForce(_ node: OverrideNode?) -> Bool {
    node === self.node
  }

  // Not generic, so that callers need not look up metadata; and `withValue` knows no typed throws.

  @usableFromInline
  static func bind(_ node: OverrideNode?, _ operation: () -> Void) {
    $scope.withValue(Scope(node: node), operation: operation)
  }

  @usableFromInline
  nonisolated(nonsending) static func bind(
    _ node: OverrideNode?, _ operation: nonisolated(nonsending) () async -> Void
  ) async {
    await $scope.withValue(Scope(node: node), operation: operation)
  }
}
