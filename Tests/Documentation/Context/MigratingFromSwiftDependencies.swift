private enum PortKey: Compatible.DependencyKey {
  static let defaultValue = 80
}

extension Dependencies {
  fileprivate var port: Int {
    get { self[PortKey.self] }
    set { self[PortKey.self] = newValue }
  }
}

@Test("a property that both libraries have", .ownDependencies)
private func commonProperty() {
  // block: let first =
  let second = ComposableDependencies.withDependencies {
    $0.uuid = .incrementing
  } operation: {
    DependencyScope.current.uuid()
  }
  #expect(first == second)
  let others = withDependencies {
    $0.uuid = .incrementing
  } operation: {
    DependencyScope.current.uuid()
  }
  #expect(others != first, "The unqualified name calls this library's function now.")
}

@Test("both libraries in one file")
private func both() {
  let port = withDependencies {
    $0.port = 8080
  } operation: {
    ServerEnvironment().port
  }
  #expect(port == 8080)
  let greeting = withDependencies {
    $0.name = "other"
  } operation: {
    GreetingKey.liveValue + NameKey.defaultValue
  }
  #expect(greeting == "Hellotheirs")
}
