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
    .library(name: "ComposableTesting", targets: ["ComposableTesting"]),
    .library(name: "StandardDependencies", targets: ["StandardDependencies"]),
    .executable(name: "linkcheck", targets: ["linkcheck"]),
    .executable(name: "random-numbers", targets: ["random-numbers"]),
    .executable(name: "request-scopes", targets: ["request-scopes"]),
    .executable(name: "benchmarks", targets: ["benchmarks"]),
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
    .target(
      name: "ComposableTesting",
      dependencies: ["ComposableReducers"],
      swiftSettings: settings
    ),
    .target(
      name: "StandardDependencies",
      dependencies: ["ComposableDependencies"],
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
    .executableTarget(
      name: "benchmarks",
      dependencies: ["ComposableReducers", "AllocationCounter"],
      path: "Examples/Benchmarks",
      swiftSettings: settings
    ),
    .target(name: "AllocationCounter", path: "Tests/AllocationCounter"),
    .target(name: "MutexAnnotations", path: "Tests/MutexAnnotations"),
    .target(
      name: "OtherDependencies", path: "Tests/OtherDependencies", swiftSettings: settings),
    .target(
      name: "TestSupport",
      dependencies: ["ComposableTesting", "AllocationCounter", "MutexAnnotations"],
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
      dependencies: ["ComposableReducers", "ComposableTesting", "TestSupport"],
      swiftSettings: settings
    ),
    .testTarget(
      name: "ComposableTestingTests",
      dependencies: ["ComposableTesting", "TestSupport"],
      swiftSettings: settings
    ),
    .testTarget(
      name: "StandardDependenciesTests",
      dependencies: ["StandardDependencies", "TestSupport"],
      swiftSettings: settings
    ),
    .testTarget(
      name: "RandomStoreTests",
      dependencies: ["ComposableReducers", "ComposableTesting", "TestSupport"],
      swiftSettings: settings
    ),
    .testTarget(
      name: "ReadmeTests",
      dependencies: [
        "ComposableEnvironment", "ComposableReducers", "ComposableTesting", "GlobalEnvironment",
        "OtherDependencies", "StandardDependencies", "TestSupport",
      ],
      swiftSettings: settings
    ),
    .testTarget(
      name: "MainActorClientTests",
      dependencies: ["ComposableReducers", "ComposableTesting"],
      swiftSettings: settings + [.defaultIsolation(MainActor.self)]
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
      dependencies: ["ComposableEnvironment", "GlobalEnvironment", "TestSupport"],
      swiftSettings: settings
    ),
    .testTarget(
      name: "LinkCheckTests",
      dependencies: ["linkcheck", "ComposableEnvironment", "ComposableTesting", "TestSupport"],
      swiftSettings: settings
    ),
    .testTarget(
      name: "RandomNumbersTests",
      dependencies: ["random-numbers", "ComposableTesting", "TestSupport"],
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
