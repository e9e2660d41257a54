import GlobalEnvironment
import TestSupport
import Testing

@Suite("GlobalEnvironment")
struct GlobalEnvironmentTests {
  private struct Parent: GlobalEnvironment {
    @Dependency(\.a) var declared
    @DerivedEnvironment<Child>(aliases: { $0.alias(\.d, to: \.c) }) var child
  }

  private struct Child: GlobalEnvironment {
    @Dependency(\.d) var declared
  }

  private struct Helper: GlobalDependenciesAccessing {}

  @Test("rule 9: with sets a value globally, also for environments created before")
  func withSetsForEveryone() {
    DependencyScope.isolated().run {
      let parent = Parent()
      Helper().with(\.a, 10)
      #expect((parent.declared, parent.a, parent[\.a], Helper().a) == (10, 10, 10, 10))
      #expect(DependencyScope.current.a == 10)
    }
    #expect(DependencyScope.root.a == 1)
  }

  @Test("setting through the subscript sets globally, also a part of a value")
  func subscripts() {
    DependencyScope.isolated().run {
      let helper = Helper().with {
        $0.a = 9
        $0.c = $0.a + 1
      }
      #expect(helper.c == 10)
      helper[\.a] = 10
      helper[\.a] += 1
      helper[\.name.first2] = "he"
      #expect((helper.a, helper.name) == (11, "hebody"))
    }
  }

  @Test("setting a part changes the global value, not an override")
  func partOfTheGlobalValue() {
    let scope = DependencyScope.isolated()
    scope.with(\.name, "override").run { Helper().with(\.name.first2, "he") }
    #expect(scope.name == "hebody")
  }

  @Test("rule 16: aliases declared with a derived environment hold from its first read")
  func aliases() {
    DependencyScope.isolated().run {
      let parent = Parent()
      #expect(parent.child.declared == 3)
      Helper().with(\.c, 10)
      #expect(parent.child.declared == 10)
      parent.aliasing(\.b, to: \.c)
      #expect(Helper().b == 10)
      Helper().aliasing(\.d, to: \.c)
      #expect(Helper().d == 10)
    }
  }
}

extension String {
  fileprivate var first2: String {
    get { String(prefix(2)) }
    set { replaceSubrange(..<index(startIndex, offsetBy: 2), with: newValue) }
  }
}
