import ComposableDependencies
import ComposableResources
import Synchronization
import TestSupport
import Testing

/// Code that outlives its resource still asks for others.
@Suite("Needs of resources that have ended")
struct LateNeedsTests {
  private struct Failed: Error {}

  private static let closed = Log()
  private static let needsOfFailing = Mutex<ResourceOpening?>(nil)
  private static let needsOfFirst = Mutex<ResourceOpening?>(nil)

  private enum Needed: ResourceKey {
    static var defaultValue: Int { 0 }
    static func open(_ needs: ResourceOpening) async throws -> Int { 1 }
    static func close(_ value: Int) async { closed.append("needed") }
  }

  private enum Failing: ResourceKey {
    static var defaultValue: Int { 0 }
    static func open(_ needs: ResourceOpening) async throws -> Int {
      needsOfFailing.withLock { $0 = needs }
      throw Failed()
    }
    static func close(_ value: Int) async {}
  }

  private enum First: ResourceKey {
    static var defaultValue: Int { 0 }
    static func open(_ needs: ResourceOpening) async throws -> Int {
      needsOfFirst.withLock { $0 = needs }
      return 1
    }
    static func close(_ value: Int) async { closed.append("first") }
  }

  /// Asks in the name of the first when that has closed.
  private enum Second: ResourceKey {
    static var defaultValue: Int { 0 }
    static func open(_ needs: ResourceOpening) async throws -> Int { 1 }
    static func close(_ value: Int) async {
      _ = try? await needsOfFirst.withLock { $0 }?(Needed.self)
      closed.append("second")
    }
  }

  @Test("rule 27: a resource closes even if one that has failed or closed asks for it")
  func closes() async throws {
    try await DependencyScope.current.with(\.opensResourcesInTests, true).run {
      try await withResources(Needed.self) {
        _ = try? await DependencyScope.current.open(Failing.self)
        let needs = try #require(Self.needsOfFailing.withLock { $0 })
        #expect(try await needs(Needed.self) == 1)
        _ = try await DependencyScope.current.open(Second.self)
        _ = try await DependencyScope.current.open(First.self)
      }
    }
    #expect(Self.closed.lines == ["first", "second", "needed"])
  }
}
