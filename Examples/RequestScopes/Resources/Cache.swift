import ComposableEnvironment
import ComposableResources

/// Remembers which tenants were served last; shared by the whole program.
///
/// Like many clients, it works only while its `run()` is running.
actor Cache {
  private let visits: AsyncStream<String>
  private let continuation: AsyncStream<String>.Continuation
  private var counts: [String: Int] = [:]

  init() {
    (visits, continuation) = AsyncStream.makeStream()
  }

  nonisolated func visit(_ tenant: String) {
    continuation.yield(tenant)
  }

  /// Processes visits until the task is cancelled.
  func run() async {
    for await tenant in visits { counts[tenant, default: 0] += 1 }
  }

  func removeAll() {
    counts = [:]
  }
}

enum CacheKey: ResourceKey {
  static var defaultValue: Cache { Cache() }

  static func open(_ needs: ResourceOpening) async throws -> Cache {
    needs[\.ledger].open(.cache)
    return Cache()
  }

  static func run(_ cache: Cache) async throws {
    await cache.run()
  }

  static func close(_ cache: Cache) async {
    await cache.removeAll()
    let scope = DependencyScope.current
    if scope.plantedLeak != .cache { scope.ledger.close(.cache) }
  }
}

extension Dependencies {
  /// The cache of recently served tenants.
  var cache: Cache {
    get { self[CacheKey.self] }
    set { self[CacheKey.self] = newValue }
  }
}
