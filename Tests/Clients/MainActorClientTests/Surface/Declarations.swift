import ComposableReducers

// Together, the files in this folder use what the settings of a module may reject: declarations,
// closures, key paths and conformances. They are compiled in a module that isolates to the main actor
// by default, and in a Swift 5 module with complete checking. The test is that they compile.

enum LimitKey: DependencyKey {
  static let defaultValue = 3
  static let testValue = 0
}

struct Client: DependencyKey {
  static let defaultValue = Client(fetch: { "live" })
  var fetch: @Sendable () async throws -> String
}

private nonisolated enum MaximumKey: Compatible.DependencyKey {
  typealias Value = Int
  static var defaultValue: Int { DependencyScope.current.limit }
}

nonisolated extension Dependencies {
  var limit: Int {
    get { self[LimitKey.self] }
    set { self[LimitKey.self] = newValue }
  }

  var client: Client {
    get { self[Client.self] }
    set { self[Client.self] = newValue }
  }
}

nonisolated extension Compatible.Dependencies {
  var maximum: Int {
    get { self[MaximumKey.self] }
    set { self[MaximumKey.self] = newValue }
  }

  var isLimited: Bool { limit > 0 }
}

struct Feature: ComposableEnvironment {
  let scope = DependencyScope.current
  @Dependency(\.limit) var limit
  @Dependency(Client.self) var client
  @Compatible.Dependency(\.isLimited) var isLimited
  @DerivedEnvironment<Child>(aliases: { $0.alias(\.maximum, to: \.limit) }) var child
  @DerivedEnvironment var tuned = Child().with(\.limit, 5)
  @DerivedEnvironment(aliases: { $0 }) var other = Child()
}

struct Child: ComposableEnvironment {
  let scope = DependencyScope.current
  var pageSize = 20
  @DerivedEnvironment<Settings> var settings

  mutating func adopt(from other: Self) {
    pageSize = other.pageSize
  }
}

struct Settings: GlobalEnvironment {
  @Dependency(\.limit) var limit
}

final class Screen: GlobalDependenciesAccessing {
  var title = ""
}
