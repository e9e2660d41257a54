import ComposableDependencies
import TestSupport
import Testing

@Suite("Descriptions")
struct DescribingTests {
  @Test("a scope's description lists its overrides and global values by name")
  func scope() {
    let scope = DependencyScope.isolated()
    #expect("\(scope)" == "DependencyScope()")
    scope.run { Dependencies.set { $0[GlobalKey.self] = "g" } }
    let inner = scope.with { $0[OverrideKey.self] = 5 }
    #expect("\(inner)" == #"DependencyScope(GlobalKey: "g", OverrideKey: 5)"#)
    #expect(String(reflecting: inner) == "\(inner)")
    #expect(Mirror(reflecting: inner).children.map(\.label) == ["GlobalKey", "OverrideKey"])
  }

  @Test("a long list of overrides is cut")
  func manyOverrides() {
    let scope = ManyKeys.first(30).reduce(DependencyScope.isolated()) { $0.with($1, 1) }
    #expect("\(scope)".hasSuffix(", … 20 more)"))
  }

  @Test("dump and print show the value of a dependency")
  func dependency() {
    DependencyScope.isolated().with { $0[OverrideKey.self] = 5 }.run {
      let dependency = Dependency(OverrideKey.self)
      #expect("\(dependency)" == "5")
      var text = ""
      dump(dependency, to: &text)
      #expect(text.contains("wrappedValue: 5"))
    }
  }
}

private enum GlobalKey: DependencyKey {
  static var defaultValue: String { "" }
}

private enum OverrideKey: DependencyKey {
  static var defaultValue: Int { 0 }
}
