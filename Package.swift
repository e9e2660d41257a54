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
  ],
  swiftLanguageModes: [.v6]
)
