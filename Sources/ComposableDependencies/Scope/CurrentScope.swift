/// The one task-local of the library, and the only place that binds it.
@usableFromInline
enum CurrentScope {
  @TaskLocal static var node: OverrideNode?

  static var store: GlobalStore { node.store }

  /// Runs `operation` with exactly these overrides in force; binds nothing where they already are.
  static func enter<R, E: Error>(
    _ node: OverrideNode?, _ operation: () throws(E) -> R
  ) throws(E) -> R {
    guard node !== self.node else { return try operation() }
    // `withValue` knows no typed throws.
    let result = $node.withValue(node) { () -> Result<R, E> in
      do throws(E) { return .success(try operation()) } catch { return .failure(error) }
    }
    return try result.get()
  }

  static func enter<R, E: Error>(
    _ node: OverrideNode?, _ operation: () async throws(E) -> R
  ) async throws(E) -> R {
    guard node !== self.node else { return try await operation() }
    let result = await $node.withValue(node) { () async -> Result<R, E> in
      do throws(E) { return .success(try await operation()) } catch { return .failure(error) }
    }
    return try result.get()
  }
}
