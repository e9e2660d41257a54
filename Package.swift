// swift-tools-version: 6.2

import PackageDescription

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
    .executable(name: "linkcheck", targets: ["linkcheck"]),
    .executable(name: "random-numbers", targets: ["random-numbers"]),
    .executable(name: "request-scopes", targets: ["request-scopes"]),
  ],
  targets: [
    .target(name: "ComposableDependencies", swiftSettings: settings),
    .target(
      name: "ComposableEnvironment",
      dependencies: ["ComposableDependencies"],
      swiftSettings: settings
    ),
    .target(
      name: "GlobalEnvironment",
      dependencies: ["ComposableDependencies"],
      swiftSettings: settings
    ),
    .target(
      name: "ComposableReducers",
      dependencies: ["ComposableEnvironment", "GlobalEnvironment"],
      swiftSettings: settings
    ),
    .executableTarget(
      name: "linkcheck",
      dependencies: ["ComposableEnvironment"],
      path: "Examples/LinkCheck",
      swiftSettings: settings
    ),
    .executableTarget(
      name: "random-numbers",
      dependencies: ["ComposableReducers"],
      path: "Examples/RandomNumbers",
      swiftSettings: settings
    ),
    .executableTarget(
      name: "request-scopes",
      dependencies: ["ComposableEnvironment"],
      path: "Examples/RequestScopes",
      swiftSettings: settings
    ),
    .target(name: "AllocationCounter", path: "Tests/AllocationCounter"),
    .target(name: "MutexAnnotations", path: "Tests/MutexAnnotations"),
    .target(
      name: "TestSupport",
      dependencies: ["ComposableDependencies", "AllocationCounter", "MutexAnnotations"],
      path: "Tests/TestSupport",
      swiftSettings: settings
    ),
    .testTarget(
      name: "ComposableDependenciesTests",
      dependencies: ["ComposableDependencies", "TestSupport"],
      swiftSettings: settings
    ),
    .testTarget(
      name: "ComposableEnvironmentTests",
      dependencies: ["ComposableEnvironment", "GlobalEnvironment", "TestSupport"],
      swiftSettings: settings
    ),
    .testTarget(
      name: "GlobalEnvironmentTests",
      dependencies: ["GlobalEnvironment", "TestSupport"],
      swiftSettings: settings
    ),
    .testTarget(
      name: "ComposableReducersTests",
      dependencies: ["ComposableReducers", "TestSupport"],
      swiftSettings: settings
    ),
    .testTarget(
      name: "ReadmeTests",
      dependencies: ["ComposableEnvironment", "ComposableReducers", "GlobalEnvironment"],
      swiftSettings: settings
    ),
    .testTarget(
      name: "MainActorClientTests",
      dependencies: ["ComposableReducers"],
      swiftSettings: settings + [.defaultIsolation(MainActor.self)]
    ),
    .testTarget(
      name: "RandomProgramTests",
      dependencies: ["ComposableEnvironment", "GlobalEnvironment", "TestSupport"],
      swiftSettings: settings
    ),
    .testTarget(
      name: "LinkCheckTests",
      dependencies: ["linkcheck", "ComposableEnvironment", "TestSupport"],
      swiftSettings: settings
    ),
    .testTarget(
      name: "RandomNumbersTests",
      dependencies: ["random-numbers", "ComposableReducers", "TestSupport"],
      swiftSettings: settings
    ),
    .testTarget(
      name: "RequestScopesTests",
      dependencies: ["request-scopes", "ComposableEnvironment"],
      swiftSettings: settings
    ),
  ],
  swiftLanguageModes: [.v6]
)
