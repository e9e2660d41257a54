import ComposableEnvironment
import TestSupport
import Testing

/// Misuse is reported only in debug builds.
#if DEBUG
  @Suite("Misuse of environments")
  struct MisuseTests {
    private struct Computed: ComposableEnvironment {
      var scope: DependencyScope { .current }
    }

    private struct Fixed: ComposableEnvironment {
      let scope = DependencyScope.root
    }

    private struct Parent: ComposableEnvironment {
      let scope = DependencyScope.current
      @DerivedEnvironment<Computed> var child
    }

    @Test("a computed scope is reported when a dependency is overridden")
    func computedScopeOverridden() throws {
      let line: UInt = #line + 1
      let reported = issues { _ = Computed().with(\.a, 10) }
      let issue = try #require(reported.first)
      #expect(reported.count == 1)
      #expect(issue.problem.contains("`scope` of Computed"))
      #expect(issue.remedy.contains("let scope = DependencyScope.current"))
      #expect(issue.fileID == #fileID)
      #expect(issue.line == line)
    }

    @Test("a scope other than the one at creation is reported wherever the environment is used")
    func otherScopes() {
      let uses: [() -> Void] = [
        { _ = Computed().a }, { _ = Computed()[\.a] },
        { _ = DependencyScope.root.with(\.a, 10).run { Computed().a } },
        { _ = Parent().with(\.a, 10).child }, { _ = Fixed().with(\.a, 10) },
      ]
      #expect(uses.map { issues(reportedBy: $0).count } == [1, 1, 1, 1, 1])
    }

    @Test("an initializer that reads an assigned derived environment is reported")
    func initializerAsksForChild() {
      struct Asking: ComposableEnvironment {
        let scope = DependencyScope.current
        @DerivedEnvironment<Child> var child
        init() { _ = child.a }
      }
      struct Child: ComposableEnvironment {
        let scope = DependencyScope.current
      }
      var asking = Asking()
      asking.child[\.a] = 10
      #expect(issues { _ = asking.with(\.b, 20) }.count == 1)
      #expect(issues { _ = Asking().with(\.b, 20) }.isEmpty, "it loses nothing")
    }
  }
#endif
