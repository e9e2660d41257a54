import ComposableReducers

func useComposableEnvironment() {
  var feature = Feature()
    .with(\.limit, 4)
    .with { $0.client.fetch = { "test" } }
    .aliasing(\.maximum, to: \.limit)
  feature.aliasing(\.limit, to: \.limit)
  feature[\.limit] = feature[\.maximum] + feature.maximum
  feature.tuned[\.limit] = 6
  feature.other = feature.tuned
  feature.child.pageSize = feature.other.pageSize
  _ = feature.child.settings.maximum + feature.limit
  _ = (feature.scope.limit, feature.isLimited)
  adopt(&feature, from: Feature())
}

private actor Downloader: ComposableEnvironment {
  nonisolated let scope = DependencyScope.current
  @Dependency(\.limit) var limit
  @DerivedEnvironment<Feature> var feature
}

func useActor() async {
  let downloader = Downloader().with(\.limit, 4)
  _ = await (downloader.limit, downloader.feature.limit, downloader[\.limit], downloader.maximum)
}

private func adopt<Environment: ScopeCapturing>(
  _ environment: inout Environment, from other: Environment
) {
  _ = other.scope.limit
  environment.adopt(from: other)
}

private func made<Environment: DependencyEnvironment>() -> Environment { Environment() }

func useGlobalEnvironment() {
  let settings: Settings = made()
  settings
    .with(\.limit, 4)
    .with { $0.limit += 1 }
    .aliasing(\.maximum, to: \.limit)
  settings[\.limit] = settings[\.maximum] + settings.maximum
  Screen().with(\.limit, 4).title = "\(Screen().limit)"
}

func useAliases(_ builder: AliasBuilder) -> AliasBuilder {
  builder.alias(\.maximum, to: \.limit).alias(\.limit, to: \.limit)
}

func useWrappers() async throws -> String {
  let limit = Dependency(\.limit)
  let client = Dependency<Client>(Client.self)
  var child = DerivedEnvironment<Child>(aliases: useAliases)
  child.wrappedValue = DerivedEnvironment(wrappedValue: Child(), aliases: useAliases).wrappedValue
  return try await client.wrappedValue.fetch() + "\(limit.wrappedValue)"
}
