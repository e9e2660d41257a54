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
      dependencies: ["ComposableEnvironment"],
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
      dependencies: ["ComposableReducers"],
      path: "Examples/RandomNumbers"
    ),
    .executableTarget(
      name: "request-scopes",
      dependencies: ["ComposableEnvironment", "ComposableResources", "MutexAnnotations"],
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
    .target(name: "AllocationCounter", path: "Tests/AllocationCounter"),
    .target(name: "MutexAnnotations", path: "Tests/MutexAnnotations"),
    .target(name: "OtherDependencies", path: "Tests/OtherDependencies"),
    .target(
      name: "TestSupport",
      dependencies: ["ComposableTesting", "AllocationCounter", "MutexAnnotations"],
      path: "Tests/TestSupport"
    ),
    .testTarget(
      name: "ComposableDependenciesTests",
      dependencies: ["ComposableDependencies", "StandardDependencies", "TestSupport"]
    ),
    .testTarget(
      name: "ComposableEnvironmentTests",
      dependencies: ["ComposableEnvironment", "GlobalEnvironment", "TestSupport"]
    ),
    .testTarget(
      name: "GlobalEnvironmentTests", dependencies: ["GlobalEnvironment", "TestSupport"]),
    .testTarget(
      name: "ComposableReducersTests",
      dependencies: ["ComposableReducers", "ComposableTesting", "TestSupport"]
    ),
    .testTarget(
      name: "ComposableTestingTests",
      dependencies: ["ComposableTesting", "StandardDependencies", "TestSupport"]
    ),
    .testTarget(
      name: "StandardDependenciesTests",
      dependencies: ["StandardDependencies", "TestSupport"]
    ),
    .testTarget(
      name: "DependencyCarriersTests",
      dependencies: ["DependencyCarriers", "TestSupport"]
    ),
    .testTarget(
      name: "ComposableResourcesTests",
      dependencies: ["ComposableResources", "ComposableTesting", "TestSupport"]
    ),
    .testTarget(
      name: "RandomLifetimeTests",
      dependencies: ["ComposableResources", "StandardDependencies", "TestSupport"]
    ),
    .testTarget(
      name: "RandomStoreTests",
      dependencies: [
        "ComposableReducers", "ComposableTesting", "StandardDependencies", "TestSupport",
      ]
    ),
    .testTarget(
      name: "ReadmeTests",
      dependencies: [
        "ComposableEnvironment", "ComposableReducers", "ComposableResources", "ComposableTesting",
        "DependencyCarriers",
        "GlobalEnvironment", "OtherDependencies", "StandardDependencies", "TestSupport",
      ]
    ),
    .testTarget(
      name: "MainActorClientTests",
      dependencies: ["ComposableReducers", "ComposableResources", "ComposableTesting"],
      swiftSettings: settings + [.defaultIsolation(MainActor.self)]
    ),
    .testTarget(
      name: "Swift6ClientTests",
      dependencies: ["ComposableReducers", "ComposableResources", "ComposableTesting"],
      swiftSettings: []
    ),
    .testTarget(
      name: "Swift5ClientTests",
      dependencies: ["ComposableReducers", "ComposableTesting"],
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
      ]
    ),
    .testTarget(
      name: "LinkCheckTests",
      dependencies: [
        "LinkChecking", "ComposableEnvironment", "ComposableTesting", "TestSupport",
      ]
    ),
    .testTarget(
      name: "WorkersTests",
      dependencies: ["workers", "LinkChecking", "DependencyCarriers", "TestSupport"]
    ),
    .testTarget(
      name: "RandomNumbersTests",
      dependencies: ["random-numbers", "ComposableTesting", "TestSupport"]
    ),
    .testTarget(
      name: "RequestScopesTests",
      dependencies: ["request-scopes", "ComposableEnvironment", "ComposableResources"]
    ),
  ],
  swiftLanguageModes: [.v6]
)

for target in package.targets { target.swiftSettings = target.swiftSettings ?? settings }

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
  }
  package.products = []
  package.targets.removeAll { !needed.contains($0.name) }
}
