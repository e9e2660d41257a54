@testable import DependencyDebugging
import ComposableDependencies
import Synchronization
import TestSupport
import Testing

@Suite("Descriptions")
struct DescribingTests {
  @Test("a scope's description lists the keys that it overrides")
  func scope() {
    let scope = DependencyScope.isolated()
    #expect("\(scope)" == "DependencyScope()")
    #expect(scope.explain().description == "DependencyScope with 0 overrides and 0 global values")
    scope.run { Dependencies.setGlobally { $0[GlobalKey.self] = "g" } }
    let inner = scope.with { $0[OverrideKey.self] = 5 }
    #expect("\(inner)" == "DependencyScope(OverrideKey)")
    #expect(String(reflecting: inner) == "\(inner)")
    #expect(Mirror(reflecting: inner).children.map(\.label) == ["OverrideKey"])
  }

  @Test("a long list of overrides is cut")
  func manyOverrides() {
    let scope = ManyKeys.first(30).reduce(DependencyScope.isolated()) { $0.with($1, 1) }
    #expect("\(scope)".hasSuffix(", … 20 more)"))
    let short = ManyKeys.first(10).reduce(DependencyScope.isolated()) { $0.with($1, 1) }
    #expect(!"\(short)".contains("more"))
  }

  @Test("printing and dumping a dependency don't read it")
  func dependency() {
    let dependency = Dependency(ReadKey.self)
    var text = "\(dependency)"
    dump(dependency, to: &text)
    #expect(text.contains("Dependency<Int>"))
    #expect(ReadKey.isRead.withLock { $0 } == false)
    #expect(dependency.wrappedValue == 0)
    #expect(ReadKey.isRead.withLock { $0 })
  }
}

/// Read by one test only.
private enum ReadKey: DependencyKey {
  static let isRead = Mutex(false)
  static var defaultValue: Int {
    isRead.withLock { $0 = true }
    return 0
  }
}

private enum GlobalKey: DependencyKey {
  static var defaultValue: String { "" }
}

private enum OverrideKey: DependencyKey {
  static var defaultValue: Int { 0 }
}
