// The declarations that the other files use, unless they have flags. Used correctly, they must compile.

import ComposableReducers

enum LimitKey: DependencyKey {
  static var defaultValue: Int { 3 }
}

struct Client: DependencyKey {
  static let defaultValue = Client { _ in [] }
  var search: @Sendable (String) async throws -> [String]
}

extension Dependencies {
  var limit: Int {
    get { self[LimitKey.self] }
    set { self[LimitKey.self] = newValue }
  }

  var isLimited: Bool { limit > 0 }
}

struct Feature: ComposableEnvironment {
  let scope = DependencyScope.current
  @Dependency(\.limit) var limit
  @Dependency(Client.self) var client
  @DerivedEnvironment<Child> var child
}

struct Child: ComposableEnvironment {
  let scope = DependencyScope.current
}

/// Isn't sendable.
class Cache {
  var values: [String: Int] = [:]
}

enum FeatureAction {
  case search(String)
  case found([String])
}

let feature = Reducer<[String], FeatureAction, Feature> { state, action, environment in
  switch action {
  case .search(let query):
    return .run { send in try await send(.found(environment.client.search(query))) }
  case .found(let results):
    state = results
    return .none
  }
}

func use(_ feature: Feature) async {
  var feature = feature.with(\.limit, 4)
  feature.child[\.limit] = 5
  _ = feature.isLimited
  await feature.scope.run { await Task.yield() }
}
