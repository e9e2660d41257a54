struct ChildModel {
  @Compatible.Dependency(\.port) var port
}

extension ParentModel {
  func makeChildOnCallersPort() -> ChildModel {
    scope.with { $0.port = DependencyScope.current.port }.run { ChildModel() }
  }
}

@Suite("The code of Migrating from swift-dependencies")
private struct MigratingFromSwiftDependencies {
  @Test("both libraries in one file")
  func both() {
    let environment = withDependencies {
      $0.port = 8080
    } operation: {
      ServerEnvironment()
    }
    #expect(environment.port == 8080)
    #expect(environment.name == "theirs")
    #expect(NameKey.defaultValue == "theirs")
    #expect(
      withDependencies {
        $0.name = "other"
      } operation: {
        GreetingKey.liveValue
      } == "Hello")
  }

  @Test("from a model to its child")
  func models() {
    let parent = DependencyScope.root.with(\.port, 1).run { ParentModel() }
    let children = withDependencies {
      $0.port = 2
    } operation: {
      [parent.makeChild(), parent.makeChildOnCallersPort()]
    }
    #expect(children.map(\.port) == [1, 2])
  }
}
