import ComposableDependencies
import ComposableResources

enum PoolKey: ResourceKey {
  static var defaultValue: Int { 0 }
  static func open(_ needs: ResourceOpening) async throws -> Int { 1 }
  static func close(_ value: Int) async {}
}

enum SizeKey: DependencyKey {
  static var defaultValue: Int {
    // error: 'async' call in a function that does not support concurrency
    // error: call can throw, but it is not marked with 'try' and the error is not handled
    withResources(PoolKey.self) { DependencyScope.current[PoolKey.self] }
  }
}
