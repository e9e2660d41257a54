import ComposableDependencies
import Synchronization
import TestSupport

/// An instance of a shared key, which knows what it was made from.
final class SharedClient: Sendable {
  let text: String
  private let life: Census?

  init(_ text: String, countedBy life: Census? = nil) {
    self.text = text
    self.life = life
    life?.add(1)
  }

  deinit { life?.add(-1) }
}

final class Census: Sendable {
  private let number = Atomic(0)
  var count: Int { number.load(ordering: .acquiring) }
  func add(_ change: Int) { number.add(change, ordering: .acquiringAndReleasing) }
}

/// Counts the clients of a test that are alive, and the runs of `make`.
struct Counters: DependencyKey, Sendable {
  static let defaultValue = Counters()
  let alive = Census()
  let made = Census()

  /// Makes a client for the test that is running; a task-local, because reading a dependency would
  /// be an input.
  static func client(_ text: String) -> SharedClient {
    current.made.add(1)
    return SharedClient(text, countedBy: current.alive)
  }

  @TaskLocal static var current = Counters()
}

/// Made from `a` and `name`.
enum ClientKey: SharedKey {
  static func make() -> SharedClient {
    let scope = DependencyScope.current
    return Counters.client("\(scope.a) \(scope.name)")
  }
}

/// Made from nothing.
enum LonelyKey: SharedKey {
  static func make() -> SharedClient { Counters.client("lonely") }
}

/// Made from `b`, and from another shared key.
enum OuterKey: SharedKey {
  static func make() -> SharedClient {
    Counters.client("\(DependencyScope.current.b) and \(DependencyScope.current.sharedClient.text)")
  }
}

/// Made from a dependency whose default is made from `a`.
enum DoubledKey: SharedKey {
  static func make() -> SharedClient { Counters.client("\(DependencyScope.current.double)") }
}

/// Made from `a`; and from `b` if that is even.
enum ChoosingKey: SharedKey {
  static func make() -> SharedClient {
    let scope = DependencyScope.current
    return Counters.client(scope.a % 2 == 0 ? "\(scope.a) \(scope.b)" : "\(scope.a)")
  }
}

/// Has another value in tests.
enum TestedKey: SharedKey {
  static func make() -> SharedClient { Counters.client("live") }
  static let testValue = SharedClient("test")
}

extension Dependencies {
  var sharedClient: SharedClient {
    get { self[ClientKey.self] }
    set { self[ClientKey.self] = newValue }
  }

  var lonely: SharedClient { self[LonelyKey.self] }
  var outer: SharedClient { self[OuterKey.self] }
  var doubled: SharedClient { self[DoubledKey.self] }
  var choosing: SharedClient { self[ChoosingKey.self] }
  var tested: SharedClient { self[TestedKey.self] }
}

/// A read where nothing is known of the key at compile time.
func read<Key: DependencyKey>(_ key: Key.Type, in scope: DependencyScope) -> Key.Value {
  scope[key]
}
