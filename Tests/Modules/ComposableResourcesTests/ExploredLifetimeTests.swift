import ComposableDependencies
import ComposableResources
import ComposableTesting
import TestSupport
import Testing

@Suite("Exploring a lifetime")
struct ExploredLifetimeTests {
  private enum Pool: ResourceKey {
    static var defaultValue: Int { 0 }
    static func open(_ needs: ResourceOpening) async throws -> Int { 1 }
    static func close(_ value: Int) async { await Task.yield() }
  }

  @Test(
    "a lifetime adds no task of the library's own to the order of a test", .needsWholeSight)
  func orders() async throws {
    // As many in every build.
    let report = try await withTestDependencies {
      $0.opensResourcesInTests = true
    } operation: {
      try await explore(schedules: 2_000) {
        async let other: Void = { for _ in 0..<2 { await Task.yield() } }()
        try await withResources(Pool.self) { await Task.yield() }
        await other
      }
    }
    #expect(report.isExhaustive)
    #expect(report.schedules == 84)
  }
}
