/// The one task-local of the library, and the only place that binds it.
@usableFromInline
enum CurrentScope {
  @TaskLocal static var node: OverrideNode?

  @usableFromInline static var current: OverrideNode? { node }

  static var store: GlobalStore { node.store }

  /// Runs `operation` with exactly these overrides in force; binds nothing where they already are.
  @inlinable
  static func enter<R, E: Error>(
    _ node: OverrideNode?, _ operation: () throws(E) -> R
  ) throws(E) -> R {
    if isInForce(node) { return try operation() }
    var result: Result<R, E>?
    bind(node) {
      do throws(E) { result = .success(try operation()) } catch { result = .failure(error) }
    }
    return try result!.get()
  }

  @inlinable
  nonisolated(nonsending) static func enter<R, E: Error>(
    _ node: OverrideNode?, _ operation: nonisolated(nonsending) () async throws(E) -> R
  ) async throws(E) -> R {
    if isInForce(node) { return try await operation() }
    var result: Result<R, E>?
    await bind(node) {
      do throws(E) { result = .success(try await operation()) } catch { result = .failure(error) }
    }
    return try result!.get()
  }

  @usableFromInline
  static func isInForce(_ node: OverrideNode?) -> Bool {
    node === self.node
  }

  // Not generic, so that callers need not look up metadata; and `withValue` knows no typed throws.

  @usableFromInline
  static func bind(_ node: OverrideNode?, _ operation: () -> Void) {
    $node.withValue(node, operation: operation)
  }

  @usableFromInline
  nonisolated(nonsending) static func bind(
    _ node: OverrideNode?, _ operation: nonisolated(nonsending) () async -> Void
  ) async {
    await $node.withValue(node, operation: operation)
  }
}
