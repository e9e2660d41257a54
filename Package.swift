// swift-tools-version: 6.2

import PackageDescription

/// The settings of every target that doesn't name its own.
let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InferIsolatedConformances"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .strictMemorySafety(),
]

let package = Package(
  name: "swift-composable-environment",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .library(name: "ComposableDependencies", targets: ["ComposableDependencies"]),
    .library(name: "ComposableEnvironment", targets: ["ComposableEnvironment"]),
    .library(name: "GlobalEnvironment", targets: ["GlobalEnvironment"]),
    .library(name: "ComposableReducers", targets: ["ComposableReducers"]),
    .library(name: "ComposableTesting", targets: ["ComposableTesting"]),
    .library(name: "StandardDependencies", targets: ["StandardDependencies"]),
    .library(name: "MutexAnnotations", targets: ["MutexAnnotations"]),
    .library(name: "DependencyCarriers", targets: ["DependencyCarriers"]),
    .library(name: "ComposableResources", targets: ["ComposableResources"]),
  ],
  targets: [
    .target(name: "ComposableDependencies"),
    .target(name: "ComposableEnvironment", dependencies: ["ComposableDependencies"]),
    .target(name: "GlobalEnvironment", dependencies: ["ComposableDependencies"]),
    .target(
      name: "ComposableReducers",
      dependencies: ["ComposableEnvironment", "GlobalEnvironment"]
    ),
    .target(
      name: "ComposableTesting",
      dependencies: ["ComposableReducers", "MutexAnnotations", "StandardDependencies"]
    ),
    .target(name: "StandardDependencies", dependencies: ["ComposableDependencies"]),
    .target(name: "DependencyCarriers", dependencies: ["ComposableDependencies"]),
    .target(name: "ComposableResources", dependencies: ["ComposableDependencies"]),
    .target(
      name: "LinkChecking",
      dependencies: ["ComposableEnvironment", "StandardDependencies"],
      path: "Examples/LinkCheck",
      exclude: ["Main"]
    ),
    .executableTarget(
      name: "linkcheck",
      dependencies: ["LinkChecking"],
      path: "Examples/LinkCheck/Main"
    ),
    .executableTarget(
      name: "workers",
      dependencies: ["LinkChecking", "DependencyCarriers", "StandardDependencies"],
      path: "Examples/Workers"
    ),
    .executableTarget(
      name: "random-numbers",
      dependencies: ["ComposableReducers", "ExampleSupport", "StandardDependencies"],
      path: "Examples/RandomNumbers"
    ),
    .executableTarget(
      name: "request-scopes",
      dependencies: [
        "ComposableEnvironment", "ComposableResources", "ExampleSupport", "MutexAnnotations",
        "StandardDependencies",
      ],
      path: "Examples/RequestScopes"
    ),
    .executableTarget(
      name: "benchmarks",
      dependencies: [
        "AllocationCounter", "ComposableReducers", "ComposableResources", "ComposableTesting",
        "DependencyCarriers",
      ],
      path: "Examples/Benchmarks"
    ),
    .target(
      name: "ExampleSupport",
      dependencies: ["ComposableDependencies"],
      path: "Examples/Support"
    ),
    .target(name: "AllocationCounter", path: "Tests/Support/AllocationCounter"),
    .target(name: "RetainCounter", path: "Tests/Support/RetainCounter"),
    .target(name: "MutexAnnotations"),
    .target(name: "OtherDependencies", path: "Tests/Clients/OtherDependencies"),
    .target(
      name: "TestSupport",
      dependencies: [
        "ComposableTesting", "AllocationCounter", "MutexAnnotations", "RetainCounter",
      ],
      path: "Tests/Support/TestSupport"
    ),
    .testTarget(
      name: "ComposableDependenciesTests",
      dependencies: ["ComposableDependencies", "StandardDependencies", "TestSupport"],
      path: "Tests/Modules/ComposableDependenciesTests"
    ),
    .testTarget(
      name: "ComposableEnvironmentTests",
      dependencies: ["ComposableEnvironment", "GlobalEnvironment", "TestSupport"],
      path: "Tests/Modules/ComposableEnvironmentTests"
    ),
    .testTarget(
      name: "GlobalEnvironmentTests",
      dependencies: ["GlobalEnvironment", "TestSupport"],
      path: "Tests/Modules/GlobalEnvironmentTests"
    ),
    .testTarget(
      name: "ComposableReducersTests",
      dependencies: ["ComposableReducers", "ComposableTesting", "TestSupport"],
      path: "Tests/Modules/ComposableReducersTests"
    ),
    .testTarget(
      name: "ComposableTestingTests",
      dependencies: ["ComposableTesting", "StandardDependencies", "TestSupport"],
      path: "Tests/Modules/ComposableTestingTests"
    ),
    .testTarget(
      name: "StandardDependenciesTests",
      dependencies: ["StandardDependencies", "TestSupport"],
      path: "Tests/Modules/StandardDependenciesTests"
    ),
    .testTarget(
      name: "DependencyCarriersTests",
      dependencies: ["DependencyCarriers", "TestSupport"],
      path: "Tests/Modules/DependencyCarriersTests"
    ),
    .testTarget(
      name: "ComposableResourcesTests",
      dependencies: ["ComposableResources", "ComposableTesting", "TestSupport"],
      path: "Tests/Modules/ComposableResourcesTests"
    ),
    .testTarget(
      name: "RandomLifetimeTests",
      dependencies: ["ComposableResources", "StandardDependencies", "TestSupport"],
      path: "Tests/Random/RandomLifetimeTests"
    ),
    .testTarget(
      name: "RandomStoreTests",
      dependencies: [
        "ComposableReducers", "ComposableTesting", "StandardDependencies", "TestSupport",
      ],
      path: "Tests/Random/RandomStoreTests"
    ),
    .testTarget(
      name: "ReadmeTests",
      dependencies: [
        "ComposableEnvironment", "ComposableReducers", "ComposableResources", "ComposableTesting",
        "DependencyCarriers",
        "GlobalEnvironment", "OtherDependencies", "StandardDependencies", "TestSupport",
      ],
      path: "Tests/Documentation/ReadmeTests",
      plugins: ["CompileDocumentation"]
    ),
    .plugin(
      name: "CompileDocumentation", capability: .buildTool(),
      dependencies: ["documentation-blocks"], path: "Tests/Documentation/Plugin"),
    .executableTarget(name: "documentation-blocks", path: "Tests/Documentation/Blocks"),
    .testTarget(
      name: "MainActorClientTests",
      dependencies: ["ComposableReducers", "ComposableResources", "ComposableTesting"],
      path: "Tests/Clients/MainActorClientTests",
      swiftSettings: settings + [.defaultIsolation(MainActor.self)],
      plugins: ["CompileDocumentation"]
    ),
    .testTarget(
      name: "Swift6ClientTests",
      dependencies: ["ComposableReducers", "ComposableResources", "ComposableTesting"],
      path: "Tests/Clients/Swift6ClientTests",
      swiftSettings: []
    ),
    .testTarget(
      name: "Swift5ClientTests",
      dependencies: ["ComposableReducers", "ComposableTesting"],
      path: "Tests/Clients/Swift5ClientTests",
      swiftSettings: [
        .swiftLanguageMode(.v5),
        .enableUpcomingFeature("StrictConcurrency"),
        .enableUpcomingFeature("InferSendableFromCaptures"),
      ]
    ),
    .testTarget(
      name: "RandomProgramTests",
      dependencies: [
        "ComposableEnvironment", "DependencyCarriers", "GlobalEnvironment", "StandardDependencies",
        "TestSupport",
      ],
      path: "Tests/Random/RandomProgramTests"
    ),
    .testTarget(
      name: "LinkCheckTests",
      dependencies: [
        "LinkChecking", "ComposableEnvironment", "ComposableTesting", "StandardDependencies",
        "TestSupport",
      ],
      path: "Tests/Examples/LinkCheckTests"
    ),
    .testTarget(
      name: "WorkersTests",
      dependencies: [
        "workers", "LinkChecking", "DependencyCarriers", "StandardDependencies", "TestSupport",
      ],
      path: "Tests/Examples/WorkersTests"
    ),
    .testTarget(
      name: "RandomNumbersTests",
      dependencies: [
        "random-numbers", "ComposableTesting", "ExampleSupport", "StandardDependencies",
        "TestSupport",
      ],
      path: "Tests/Examples/RandomNumbersTests"
    ),
    .testTarget(
      name: "RequestScopesTests",
      dependencies: [
        "request-scopes", "ComposableEnvironment", "ComposableResources", "ExampleSupport",
        "StandardDependencies",
      ],
      path: "Tests/Examples/RequestScopesTests"
    ),
  ],
  swiftLanguageModes: [.v6]
)

for target in package.targets where target.type != .plugin {
  target.swiftSettings = target.swiftSettings ?? settings
}

// `COMPOSABLE_ENVIRONMENT_TESTS=RandomStoreTests swift test` builds one test target and its
// dependencies.
if let tests = Context.environment["COMPOSABLE_ENVIRONMENT_TESTS"] {
  var needed: Set<String> = []
  var pending = [tests]
  while let name = pending.popLast() {
    guard needed.insert(name).inserted else { continue }
    for case .byNameItem(let dependency, _) in package.targets.first(where: { $0.name == name })?
      .dependencies ?? []
    { pending.append(dependency) }
    if package.targets.contains(where: { $0.name == name && $0.plugins?.isEmpty == false }) {
      pending += ["CompileDocumentation", "documentation-blocks"]
    }
  }
  package.products = []
  package.targets.removeAll { !needed.contains($0.name) }
}
