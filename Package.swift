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

/// The modules, and what each may import.
let modules = [
  module("ComposableDependencies"),
  module("Environments", "ComposableDependencies"),
  module("ComposableEnvironment", "Environments"),
  module("GlobalEnvironment", "Environments"),
  module("DependencyDebugging", "Environments"),
  module("StandardDependencies", "ComposableDependencies"),
  module("DependencyCarriers", "ComposableDependencies"),
  module("ComposableResources", "ComposableDependencies"),
  module("IdentifiedArrays", "ComposableDependencies"),
  module("ComposableCasePaths"),
  module("CasePathOperator", "ComposableCasePaths", "ComposableDependencies"),
  module("ValueDifferences"),
  module(
    "ComposableReducers", "ComposableCasePaths", "ComposableEnvironment", "GlobalEnvironment",
    "IdentifiedArrays", "ValueDifferences"),
  module("TestRuntime", "ComposableDependencies"),
  module("TestClocks", "TestRuntime"),
  module("ScheduleExploring", "DependencyDebugging", "StandardDependencies", "TestClocks"),
  module(
    "ComposableTesting", "ComposableReducers", "ComposableResources", "DependencyDebugging",
    "ScheduleExploring", "StandardDependencies"),
]

/// The modules that most tests use.
let testing = [
  "ComposableResources", "ComposableTesting", "DependencyDebugging", "Environments",
  "GlobalEnvironment", "StandardDependencies", "TestSupport",
]

let package = Package(
  name: "swift-composable-environment",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  // Clients get the others with these: a module re-exports what its users need.
  products: modules.map(\.name).filter {
    ![
      "ComposableCasePaths", "Environments", "IdentifiedArrays", "TestRuntime", "ValueDifferences",
    ].contains($0)
  }
  .map { .library(name: $0, targets: [$0]) },
  targets: modules + [
    tests("RandomProgramTests", in: "Random", "ComposableEnvironment", "DependencyCarriers"),
    tests("RandomStoreTests", in: "Random", "ComposableReducers"),
    tests("RandomLifetimeTests", in: "Random"),
    tests("RandomOrderTests", in: "Random", "ComposableReducers", "ScheduleExploring"),

    client("MainActorClientTests", settings, .defaultIsolation(MainActor.self)),
    client("DefaultMainActorClientTests", [], .defaultIsolation(MainActor.self)),
    client("Swift6ClientTests", []),
    client(
      "Swift5ClientTests", [], .swiftLanguageMode(.v5), .enableUpcomingFeature("StrictConcurrency"),
      .enableUpcomingFeature("InferSendableFromCaptures")),

    tests(
      "ReadmeTests", in: "Documentation", "ComposableEnvironment",
      "ComposableReducers", "DependencyCarriers", "OtherDependencies",
      plugins: ["CompileDocumentation"]),
    module("OtherDependencies", in: "Tests/Clients"),
    .target(
      name: "CommentExamples", dependencies: modules.map { .byName(name: $0.name) },
      path: "Tests/Documentation/CommentExamples", plugins: ["CompileDocumentation"]),
    .executableTarget(name: "documentation-blocks", path: "Tests/Documentation/Blocks"),
    .plugin(
      name: "CompileDocumentation", capability: .buildTool(),
      dependencies: ["documentation-blocks"], path: "Tests/Documentation/Plugin"),

    module("MutexAnnotations", in: "Tests/Support"),
    module("AllocationCounter", in: "Tests/Support"),
    module("RetainCounter", in: "Tests/Support"),
    module(
      "TestSupport", "ComposableTesting", "AllocationCounter", "MutexAnnotations", "RetainCounter",
      in: "Tests/Support"),

    module("ExampleSupport", "ComposableDependencies", in: "Examples"),
    .executableTarget(
      name: "benchmarks",
      dependencies: [
        "AllocationCounter", "ComposableReducers", "ComposableResources", "ComposableTesting",
        "DependencyCarriers",
      ],
      path: "Examples/Benchmarks", exclude: ["check.sh"]),
  ],
  swiftLanguageModes: [.v6]
)

package.targets += modules.map(\.name).filter { $0 != "Environments" }
  .map { tests("\($0)Tests", in: "Modules", $0) }

package.targets += [
  example("linkcheck", in: "LinkCheck", "ComposableEnvironment", "StandardDependencies"),
  example("overdrawn-account", in: "OverdrawnAccount"),
  example(
    "random-numbers", in: "RandomNumbers", "ComposableReducers", "ExampleSupport",
    "StandardDependencies"),
  example(
    "request-handler", in: "RequestHandler", "ComposableEnvironment", "ComposableReducers",
    "ComposableResources", "DependencyCarriers", "ExampleSupport"),
  example("search", in: "Search", "ComposableReducers", "StandardDependencies"),
  example("workers", in: "Workers", "ComposableEnvironment", "DependencyCarriers"),
].flatMap { $0 }

/// A module in a folder.
func module(
  _ name: String, _ dependencies: Target.Dependency..., in folder: String = "Sources"
) -> Target {
  .target(name: name, dependencies: dependencies, path: "\(folder)/\(name)")
}

/// Tests in a folder of `Tests`.
func tests(
  _ name: String, in folder: String, _ dependencies: String..., plugins: [Target.PluginUsage] = []
) -> Target {
  .testTarget(
    name: name, dependencies: names(dependencies + testing), path: "Tests/\(folder)/\(name)",
    plugins: plugins)
}

/// Tests with the settings of a client.
func client(_ name: String, _ settings: [SwiftSetting], _ more: SwiftSetting...) -> Target {
  .testTarget(
    name: name,
    dependencies: [
      "ComposableReducers", "ComposableResources", "ComposableTesting", "TestSupport",
    ],
    path: "Tests/Clients/\(name)", swiftSettings: settings + more,
    plugins: name == "MainActorClientTests" ? ["CompileDocumentation"] : [])
}

/// A program of `Examples`, and its tests in the same folder.
func example(_ name: String, in folder: String, _ dependencies: String...) -> [Target] {
  [
    .executableTarget(
      name: name, dependencies: names(dependencies), path: "Examples/\(folder)",
      exclude: ["Tests"]),
    .testTarget(
      name: "\(folder)Tests", dependencies: names([name] + dependencies + testing),
      path: "Examples/\(folder)/Tests"),
  ]
}

/// Each name once, because SwiftPM warns of duplicates.
func names(_ names: [String]) -> [Target.Dependency] {
  Set(names).sorted().map { .byName(name: $0) }
}

for target in package.targets where target.type != .plugin {
  target.swiftSettings = target.swiftSettings ?? settings
}
