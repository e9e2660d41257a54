import Foundation

/// A run of some tests: what is tried on a mutant at once.
struct Suite {
  let name: String
  /// Patterns of the tests' names.
  let filter: String
  var skip: String?
  var environment: [String: String] = [:]
  /// Off for tests that need the processor's cores for their own threads.
  var isParallel = true

  /// The quick ones first: most mutants need no others.
  ///
  /// The slow ones only if asked for.
  static func all(of module: String) -> [Suite] {
    let isSlowWanted = ProcessInfo.processInfo.environment["SLOW"] != nil
    return switch module {
    case "ComposableDependencies", "ComposableEnvironment", "GlobalEnvironment":
      [
        Suite(
          name: "core",
          filter: "^(ComposableDependencies|ComposableEnvironment|GlobalEnvironment)Tests\\.",
          skip: "GrowthTests|\(slow)"),
        Suite(name: "growth", filter: "GrowthTests", skip: slow),
        Suite(
          name: "threads",
          filter: "^Composable(Dependencies|Environment)Tests\\..*(o|O)n(Two)?Threads",
          isParallel: false),
        Suite(
          name: "programs", filter: "^RandomProgramTests\\..*(isolatedStores|memory)",
          environment: ["PROGRAMS": "600"]),
        Suite(
          name: "process", filter: "^RandomProgramTests\\..*processStore",
          environment: ["PROGRAMS": "300"]),
      ]
        + (isSlowWanted
          ? [
            Suite(
              name: "slow", filter: "^Composable(Dependencies|Environment)Tests\\..*(\(slow))")
          ] : [])
    case "ComposableReducers":
      [
        Suite(name: "reducers", filter: "^ComposableReducersTests\\.", skip: "longChain"),
        Suite(
          name: "threads", filter: "^ComposableReducersTests\\..*OnThreads", isParallel: false),
        Suite(name: "stores", filter: "^RandomStoreTests\\.", environment: ["PROGRAMS": "300"]),
      ]
    case "ComposableResources":
      [
        Suite(name: "resources", filter: "^ComposableResourcesTests\\."),
        Suite(
          name: "lifetimes", filter: "^RandomLifetimeTests\\.", environment: ["PROGRAMS": "500"]),
      ]
    case "ComposableTesting":
      [
        Suite(
          name: "testing", filter: "^ComposableTestingTests\\.", skip: "\(searching)|\(waiting)"),
        Suite(name: "schedules", filter: searching),
        Suite(name: "waiting", filter: waiting),
        Suite(
          name: "threads", filter: "^ComposableTestingTests\\..*OnThreads", isParallel: false),
      ]
    default:
      [Suite(name: module, filter: "^\(module)Tests\\.")]
    }
  }

  private static let slow = "IsFlat|oneReadOneState|sharedScopes"
  /// Of the tests of test support: those that search many schedules.
  private static let searching =
    "^ComposableTestingTests\\.(LawTests|StoreLawTests|OrderingBugTests|ExploringFailureTests)/"
  /// Those that wait for real time, repeat much, or start a process.
  private static let waiting =
    "^ComposableTestingTests\\.(Determinism|Reports|Failures|LargeDifference|LostScopes)Tests/"

  static func testTargets(of module: String) -> [String] {
    switch module {
    case "ComposableDependencies", "ComposableEnvironment", "GlobalEnvironment":
      [
        "ComposableDependenciesTests", "ComposableEnvironmentTests", "GlobalEnvironmentTests",
        "RandomProgramTests",
      ]
    case "ComposableReducers": ["ComposableReducersTests", "RandomStoreTests"]
    case "ComposableResources": ["ComposableResourcesTests", "RandomLifetimeTests"]
    default: ["\(module)Tests"]
    }
  }
}
