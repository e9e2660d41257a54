extension Dependencies {
  var port: Int {
    get { self[PortKey.self] }
    set { self[PortKey.self] = newValue }
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
}
