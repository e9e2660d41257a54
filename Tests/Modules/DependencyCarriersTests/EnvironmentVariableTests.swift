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

  @Test("only the named variables change, and a value that doesn't travel isn't inherited")
  func others() {
    var variables = ["PATH": "/bin", "PLAN": "old", "TENANT": "grandparent's"]
    DependencyScope.root.with(\.plan, .paid).inject(
      PlanKey.self, TenantKey.self, intoEnvironment: &variables)
    #expect(variables == ["PATH": "/bin", "PLAN": "paid"])
  }
}
