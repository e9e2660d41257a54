import ComposableEnvironment
import OtherDependencies
import Testing

import protocol OtherDependencies.DependencyKey
import struct OtherDependencies.Dependency

// The other library's, as before.
enum GreetingKey: DependencyKey {
  static let liveValue = "Hello"
}

// This library's.
enum PortKey: Compatible.DependencyKey {
  static let defaultValue = 80
}

extension Dependencies {
  var port: Int {
    get { self[PortKey.self] }
    set { self[PortKey.self] = newValue }
  }
}

struct ServerEnvironment: ComposableEnvironment {
  let scope = DependencyScope.current
  @Compatible.Dependency(\.port) var port
  @Dependency(\.name) var name
}

enum NameKey: Compatible.DependencyKey {
  static var defaultValue: String {
    @Dependency(\.name) var name
    return name
  }
}

@Suite("Snippets of Migrating from swift-dependencies")
struct MigratingFromSwiftDependenciesSnippets {
  @Test("both libraries in one file")
  func both() {
    let environment = withDependencies {
      $0.port = 8080
    } operation: {
      ServerEnvironment()
    }
    assert(environment.port == 8080)
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
