import ComposableTesting
import TestSupport
import Testing

@Suite(
  "The dependencies trait",
  .dependencies {
    $0.a = 10; $0.b = 20
  })
struct DependenciesTraitTests {
  @Dependency(\.a) var captured
  @DerivedEnvironment<Child> var child

  struct Child: ComposableEnvironment {
    let scope = DependencyScope.current
  }

  @Test("a test reads what its suite overrides")
  func suite() {
    #expect(DependencyScope.current.a == 10)
    #expect(DependencyScope.current.b == 20)
    #expect(DependencyScope.current.c == 3)
  }

  @Test("a suite's value captures the test's scope", .dependencies { $0.a = 11 })
  func captures() {
    #expect(captured == 11)
    #expect((child.a, child.b) == (11, 20))
  }

  @Test(
    "of several traits, the later wins and sees what the earlier set",
    .dependencies { $0.a += 1 }, .dependencies { $0.a *= 2 })
  func several() {
    #expect(DependencyScope.current.a == 22)
  }

  @Test("isolation alone overrides nothing", .isolatedDependencies)
  func isolation() {
    #expect(DependencyScope.current.a == 10)
  }

  @Suite(
    "Nested",
    .dependencies {
      $0.b = 21; $0.c = 31
    })
  struct Nested {
    @Test("nested suites add up, and the inner one wins", .dependencies { $0.c = 32 })
    func nested() {
      #expect(DependencyScope.current.a == 10)
      #expect(DependencyScope.current.b == 21)
      #expect(DependencyScope.current.c == 32)
    }

    @Suite("Without traits")
    struct Deeper {
      @Test("a suite without traits inherits outer traits")
      func deeper() {
        #expect(DependencyScope.current.a == 10)
        #expect(DependencyScope.current.b == 21)
        #expect(DependencyScope.current.c == 31)
      }
    }
  }

  @Test("all overrides of a test are in one scope, over one global store", .isolatedDependencies)
  func oneStore() {
    DependencyScope.current.setGlobally(\.mailer, "global")
    #expect(DependencyScope.current.mailer == "global")
    #expect(DependencyScope.root.mailer == "test")
  }

  @Test("rule 11: a test can use default values", .usingDefaultValues)
  func defaultValues() async {
    #expect(DependencyScope.current.mailer == "live")
    #expect(await Task { DependencyScope.isolated().mailer }.value == "live")
    #expect(DependencyScope.current.a == 10)
    #expect(await Task.detached { DependencyScope.current.mailer }.value == "test")
  }
}
