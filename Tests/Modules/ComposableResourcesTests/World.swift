import ComposableDependencies
import ComposableResources
import Synchronization

/// The plans for a test's resources, and a log of their events.
final class World: Sendable {
  struct Plan: Sendable {
    var open: @Sendable (ResourceOpening) async throws -> Void = { _ in }
    var run: @Sendable () async throws -> Void = {}
    var close: @Sendable () async -> Void = {}
  }

  private struct State {
    var plans: [String: Plan] = [:]
    var events: [String] = []
    var openCount: [String: Int] = [:]
  }

  private let state = Mutex(State())

  subscript(name: String) -> Plan {
    get { state.withLock { $0.plans[name] } ?? Plan() }
    set { state.withLock { $0.plans[name] = newValue } }
  }

  var events: [String] { state.withLock { $0.events } }

  func record(_ event: String) {
    state.withLock { $0.events.append(event) }
  }

  /// Returns the events of some kinds, in order.
  func events(_ kinds: String...) -> [String] {
    events.filter { event in kinds.contains { event.hasPrefix("\($0) ") } }
  }

  /// Numbers each value, so that a test can distinguish them.
  fileprivate func nextValue(of name: String) -> String {
    let number = state.withLock { state in
      state.openCount[name, default: 0] += 1
      return state.openCount[name]!
    }
    return "\(name)\(number)"
  }

  /// Values that weren't closed exactly once, or were closed without being opened.
  var unbalanced: [String] {
    var counts: [Substring: Int] = [:]
    for event in events {
      let words = event.split(separator: " ")
      if words[0] == "opened" { counts[words[1], default: 0] += 1 }
      if words[0] == "closed" { counts[words[1], default: 0] -= 1 }
    }
    return counts.filter { $0.value != 0 }.map { "\($0.key): \($0.value)" }
  }
}

private enum WorldKey: DependencyKey {
  static var defaultValue: World { World() }
}

extension Dependencies {
  var world: World {
    get { self[WorldKey.self] }
    set { self[WorldKey.self] = newValue }
  }
}

/// Runs an operation in its own world.
func withWorld(
  isolation: isolated (any Actor)? = #isolation,
  _ operation: @concurrent (World) async throws -> Void
) async rethrows {
  let world = World()
  let scope = DependencyScope.isolated().with {
    $0.world = world
    $0.opensResourcesInTests = true
    // Other tests may keep the machine busy.
    $0.resourceClosingTime = .seconds(3_600)
  }
  try await scope.run { try await operation(world) }
}

protocol Name: Sendable { static var name: String { get } }
enum NameA: Name { static var name: String { "A" } }
enum NameB: Name { static var name: String { "B" } }
enum NameC: Name { static var name: String { "C" } }
enum NameD: Name { static var name: String { "D" } }

/// A resource that follows the world's plan.
enum Resource<N: Name>: ResourceKey {
  static var defaultValue: String { "no \(N.name)" }
  static var testValue: String { "test \(N.name)" }

  static func open(_ needs: ResourceOpening) async throws -> String {
    let world = needs[\.world]
    world.record("open \(N.name)")
    do {
      try await world[N.name].open(needs)
    } catch {
      world.record("failed \(N.name)")
      throw error
    }
    let value = world.nextValue(of: N.name)
    world.record("opened \(value)")
    return value
  }

  static func run(_ value: String) async throws {
    try await DependencyScope.current.world[N.name].run()
  }

  static func close(_ value: String) async {
    let world = DependencyScope.current.world
    world.record("close \(value)")
    await world[N.name].close()
    world.record("closed \(value)")
  }
}

typealias A = Resource<NameA>
typealias B = Resource<NameB>
typealias C = Resource<NameC>
typealias D = Resource<NameD>

extension Dependencies {
  var a: String {
    get { self[A.self] }
    set { self[A.self] = newValue }
  }
  var b: String {
    get { self[B.self] }
    set { self[B.self] = newValue }
  }
  var c: String {
    get { self[C.self] }
    set { self[C.self] = newValue }
  }
}

struct Failure: Error, Equatable {
  var name = ""
}
