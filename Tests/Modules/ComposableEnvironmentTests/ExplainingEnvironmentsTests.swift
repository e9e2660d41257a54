import DependencyDebugging
import ComposableEnvironment
import TestSupport
import Testing

@Suite("Explaining environments")
struct ExplainingEnvironmentsTests {
  private let scope = DependencyScope.isolated(usingTestValues: false, recordingPlaces: true)

  @Test("rule 36: an environment explains what its scope and its children override")
  func explain() throws {
    try scope.with(\.a, 1).run {
      var parent = Parent()
      #expect(parent.explain().entries.map(\.value) == ["1"])
      parent.child[\.b] = 5; let line: UInt = #line
      let explanation = parent.explain()
      #expect(explanation.children.map(\.name) == ["child"])
      let entry = try #require(explanation.children[0].explanation.entries.first)
      #expect(entry.value == "5" && entry.place?.line == line)
      #expect(explanation.description.contains("\n  child:\n    "))
    }
  }

  @Test("a child's explanation has what differs from its parent's value of the same key")
  func differing() throws {
    try scope.with(\.a, 1).run {
      var parent = Parent()
      parent.child[\.a] = 9
      let entries = try #require(parent.explain().children.first).explanation.entries
      #expect(entries.map(\.value) == ["9"])
    }
  }

  @Test("an override on an environment has the place of its `with`")
  func place() {
    scope.run {
      let parent = Parent().with(\.a, 3); let line: UInt = #line
      #expect(parent.explain().entries.first { $0.value == "3" }?.place?.line == line)
      #expect(parent.with(\.b, 1).explain().entries.first { $0.value == "3" }?.place?.line == line)
    }
  }

  @Test("printing an environment creates no derived environment")
  func description() {
    let parent = scope.with(\.a, 1).run { Parent() }
    #expect("\(parent)".contains("DependencyScope(AKey)"))
    #expect(!"\(parent)".contains("wrappedValue"))
    _ = parent.child.b
    #expect("\(parent)".contains("wrappedValue: "))
  }

  @Test("environments that derive each other have an explanation that ends")
  func recursion() {
    #expect(Loop().explain().children.isEmpty)
  }
}

private struct Child: ComposableEnvironment {
  let scope = DependencyScope.current
  @Dependency(\.b) var second
}

private struct Parent: ComposableEnvironment {
  let scope = DependencyScope.current
  @Dependency(\.a) var first
  @Dependency(\.name) var name
  @DerivedEnvironment<Child> var child
}

private struct Loop: ComposableEnvironment {
  let scope = DependencyScope.current
  @Dependency(\.a) var first
  @DerivedEnvironment<Loop> var next
}
