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
    "ComposableDependencies", "ComposableEnvironment", "GlobalEnvironment", "IdentifiedArrays",
    "ComposableReducers", "ComposableTesting", "StandardDependencies", "MutexAnnotations",
    "DependencyCarriers", "ComposableResources",
  ].map { .library(name: $0, targets: [$0]) },
  targets: [
    module("ComposableDependencies"),
    module("ComposableEnvironment", ["ComposableDependencies"]),
    module("GlobalEnvironment", ["ComposableDependencies"]),
    module("IdentifiedArrays", ["ComposableDependencies"]),
    module(
      "ComposableReducers", ["ComposableEnvironment", "GlobalEnvironment", "IdentifiedArrays"]),
    module(
      "ComposableTesting", ["ComposableReducers", "MutexAnnotations", "StandardDependencies"]),
    module("StandardDependencies", ["ComposableDependencies"]),
    module("DependencyCarriers", ["ComposableDependencies"]),
    module("ComposableResources", ["ComposableDependencies"]),
    module("MutexAnnotations"),

    tests("ComposableDependencies", ["StandardDependencies"]),
    tests("ComposableEnvironment", ["GlobalEnvironment"]),
    tests("GlobalEnvironment"),
    tests("IdentifiedArrays"),
    tests("ComposableReducers", ["ComposableTesting"]),
    tests("ComposableTesting", ["StandardDependencies"]),
    tests("StandardDependencies"),
    tests("DependencyCarriers"),
    tests("ComposableResources", ["ComposableTesting"]),

    tests(
      of: "Random", "RandomProgramTests",
      [
        "ComposableEnvironment", "DependencyCarriers", "GlobalEnvironment", "StandardDependencies",
      ]),
    tests(
      of: "Random", "RandomStoreTests",
      ["ComposableReducers", "ComposableTesting", "StandardDependencies"]),
    tests(of: "Random", "RandomLifetimeTests", ["ComposableResources", "StandardDependencies"]),

    client("MainActorClientTests", settings + [.defaultIsolation(MainActor.self)]),
    client("Swift6ClientTests", []),
    client(
      "Swift5ClientTests",
      [
        .swiftLanguageMode(.v5), .enableUpcomingFeature("StrictConcurrency"),
        .enableUpcomingFeature("InferSendableFromCaptures"),
      ]),

    tests(
      of: "Documentation", "ReadmeTests",
      [
        "ComposableEnvironment", "ComposableReducers", "ComposableResources", "ComposableTesting",
        "DependencyCarriers", "GlobalEnvironment", "OtherDependencies", "StandardDependencies",
      ],
      plugins: ["CompileDocumentation"]),
    support("OtherDependencies", in: "Tests/Clients/OtherDependencies"),
    .executableTarget(
      name: "documentation-blocks", path: "Tests/Documentation/Blocks"),
    .plugin(
      name: "CompileDocumentation", capability: .buildTool(),
      dependencies: ["documentation-blocks"], path: "Tests/Documentation/Plugin"),

    support("AllocationCounter", in: "Tests/Support/AllocationCounter"),
    support("RetainCounter", in: "Tests/Support/RetainCounter"),
    support(
      "TestSupport", in: "Tests/Support/TestSupport",
      ["ComposableTesting", "AllocationCounter", "MutexAnnotations", "RetainCounter"]),
  ],
  swiftLanguageModes: [.v6]
)

package.targets += [
  example("linkcheck", in: "LinkCheck", ["ComposableEnvironment", "StandardDependencies"]),
  exampleTests(
    "linkcheck", in: "LinkCheck",
    ["ComposableEnvironment", "ComposableTesting", "StandardDependencies"]),
  example(
    "random-numbers", in: "RandomNumbers",
    ["ComposableReducers", "ExampleSupport", "StandardDependencies"]),
  exampleTests(
    "random-numbers", in: "RandomNumbers",
    ["ComposableTesting", "ExampleSupport", "StandardDependencies"]),
  example(
    "request-handler", in: "RequestHandler",
    ["ComposableEnvironment", "ComposableResources", "ExampleSupport"]),
  exampleTests(
    "request-handler", in: "RequestHandler",
    ["ComposableResources", "ComposableTesting", "ExampleSupport"]),
  example("search", in: "Search", ["ComposableReducers", "StandardDependencies"]),
  exampleTests(
    "search", in: "Search", ["ComposableReducers", "ComposableTesting", "StandardDependencies"]),
  example("overdrawn-account", in: "OverdrawnAccount", []),
  exampleTests("overdrawn-account", in: "OverdrawnAccount", ["ComposableTesting"]),
  example("workers", in: "Workers", ["ComposableEnvironment", "DependencyCarriers"]),
  exampleTests("workers", in: "Workers", ["ComposableDependencies", "DependencyCarriers"]),
  support("ExampleSupport", in: "Examples/Support", ["ComposableDependencies"]),
  .executableTarget(
    name: "benchmarks",
    dependencies: [
      "AllocationCounter", "ComposableReducers", "ComposableResources", "ComposableTesting",
      "DependencyCarriers",
    ],
    path: "Examples/Benchmarks"),
]

/// A module of `Sources`.
func module(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .target(name: name, dependencies: dependencies)
}

/// The tests of a module.
func tests(_ module: String, _ dependencies: [Target.Dependency] = []) -> Target {
  tests(of: "Modules", "\(module)Tests", [.byName(name: module)] + dependencies)
}

/// Other tests, in a folder of `Tests`.
func tests(
  of folder: String, _ name: String, _ dependencies: [Target.Dependency],
  plugins: [Target.PluginUsage] = []
) -> Target {
  .testTarget(
    name: name, dependencies: dependencies + ["TestSupport"], path: "Tests/\(folder)/\(name)",
    plugins: plugins)
}

/// Tests with the settings of a client.
func client(_ name: String, _ settings: [SwiftSetting]) -> Target {
  .testTarget(
    name: name, dependencies: ["ComposableReducers", "ComposableResources", "ComposableTesting"],
    path: "Tests/Clients/\(name)", swiftSettings: settings,
    plugins: name == "MainActorClientTests" ? ["CompileDocumentation"] : [])
}

/// A module that tests or examples use.
func support(
  _ name: String, in path: String, _ dependencies: [Target.Dependency] = []
) -> Target {
  .target(name: name, dependencies: dependencies, path: path)
}

/// A program of `Examples`.
func example(
  _ name: String, in folder: String, _ dependencies: [Target.Dependency]
) -> Target {
  .executableTarget(
    name: name, dependencies: dependencies, path: "Examples/\(folder)", exclude: ["Tests"])
}

/// The tests of an example, in a folder of it.
func exampleTests(
  _ name: String, in folder: String, _ dependencies: [Target.Dependency]
) -> Target {
  .testTarget(
    name: "\(folder)Tests", dependencies: [.byName(name: name), "TestSupport"] + dependencies,
    path: "Examples/\(folder)/Tests")
}

for target in package.targets where target.type != .plugin {
  target.swiftSettings = target.swiftSettings ?? settings
}

// `COMPOSABLE_ENVIRONMENT_TESTS=RandomStoreTests swift test` builds one test target, or some separated
// by commas, and their dependencies.
if let tests = Context.environment["COMPOSABLE_ENVIRONMENT_TESTS"] {
  var needed: Set<String> = []
  var pending = tests.split(separator: ",").map(String.init)
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
