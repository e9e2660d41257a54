private enum PortKey: Compatible.DependencyKey {
  static let defaultValue = 80
}

extension Dependencies {
  fileprivate var port: Int {
    get { self[PortKey.self] }
    set { self[PortKey.self] = newValue }
  }
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
