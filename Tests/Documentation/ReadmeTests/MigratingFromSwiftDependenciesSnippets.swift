import ComposableEnvironment
import Foundation
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

final class ParentModel: Sendable {
  let scope = DependencyScope.current

  func makeChild() -> ChildModel {
    scope.run { ChildModel() }
  }
}

extension ParentModel {
  func makeChildOnCallersPort() -> ChildModel {
    scope.with { $0.port = DependencyScope.current.port }.run { ChildModel() }
  }
}

struct ChildModel {
  @Compatible.Dependency(\.port) var port
}

enum NotificationCenterKey: Compatible.DependencyKey {
  static var defaultValue: NotificationCenter { .default }
}

extension Dependencies {
  var notificationCenter: NotificationCenter {
    get { self[NotificationCenterKey.self] }
    set { self[NotificationCenterKey.self] = newValue }
  }
}

private func freePort() async throws -> Int { 8081 }

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

  @Test("overrides that have to be awaited")
  func awaited() async throws {
    let port = try await freePort()
    let server = withDependencies {
      $0.port = port
    } operation: {
      ServerEnvironment()
    }
    #expect(server.port == 8081)
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

  @Test("a notification center of the test's own")
  func notifications() {
    let center = NotificationCenter()
    let scope = DependencyScope.root.with(\.notificationCenter, center)
    #expect(scope.notificationCenter === center)
    #expect(DependencyScope.root.notificationCenter === NotificationCenter.default)
  }
}
