import ComposableDependencies
import DependencyCarriers
import TestSupport
import Testing

@Suite("Environment variables")
struct EnvironmentVariableTests {
  @Test("a field becomes a name that every shell knows")
  func names() {
    #expect(RequestIDKey.environmentVariable == "X_REQUEST_ID")
    enum Odd: CarriedKey {
      static var defaultValue: Int { 1 }
      static let field = "1.a~b|C"
    }
    #expect(Odd.environmentVariable == "_1_A_B_C")
  }

  @Test("other variables stay as they are")
  func others() {
    var variables = ["PATH": "/bin", "PLAN": "old"]
    DependencyScope.root.with(\.plan, .paid).inject(PlanKey.self, intoEnvironment: &variables)
    #expect(variables == ["PATH": "/bin", "PLAN": "paid"])
  }

  @Test("a child doesn't inherit a value that doesn't travel")
  func inherited() {
    var variables = ["TENANT": "grandparent's"]
    DependencyScope.root.inject(TenantKey.self, intoEnvironment: &variables)
    #expect(variables == [:])
  }
}
