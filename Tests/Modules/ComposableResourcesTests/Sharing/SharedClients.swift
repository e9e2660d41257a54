import ComposableDependencies
import ComposableResources
import Environments
import TestSupport

/// An instance of a shared key, which knows what it was made from.
final class SharedClient: Sendable {
  let text: String
  private let life: Tracked?

  init(_ text: String, countedBy alive: AliveCounter? = nil) {
    self.text = text
    life = alive.map { Tracked($0) }
  }
}

/// Counts the clients of a test that are alive, and the runs of `make`.
struct Counters: DependencyKey, Sendable {
  static let defaultValue = Counters()
  let alive = AliveCounter()
  let made = Counter()

  /// Makes a client for the test that is running; a task-local, because a dependency would be an
  /// input.
  static func client(_ text: String) -> SharedClient {
    _ = current.made.next()
    return SharedClient(text, countedBy: current.alive)
  }

  @TaskLocal static var current = Counters()
}

/// Made from `one` and `name`.
enum ClientKey: SharedKey {
  static func make(_ needs: SharedInputs) -> SharedClient {
    Counters.client("\(needs[\.one]) \(needs[\.name])")
  }
}

/// Made from nothing.
enum LonelyKey: SharedKey {
  static func make(_ needs: SharedInputs) -> SharedClient { Counters.client("lonely") }
}

/// Made from `two`, and from another shared key.
enum OuterKey: SharedKey {
  static func make(_ needs: SharedInputs) -> SharedClient {
    Counters.client("\(needs[\.two]) and \(needs[\.sharedClient].text)")
  }
}

/// Made from `one`; and from `two` if that is even.
enum ChoosingKey: SharedKey {
  static func make(_ needs: SharedInputs) -> SharedClient {
    let first = needs[\.one]
    return Counters.client(first % 2 == 0 ? "\(first) \(needs[\.two])" : "\(first)")
  }
}

/// Has another value in tests.
enum TestedKey: SharedKey {
  static func make(_ needs: SharedInputs) -> SharedClient { Counters.client("live") }
  static let testValue = SharedClient("test")
}

extension Dependencies {
  var sharedClient: SharedClient {
    get { self[ClientKey.self] }
    set { self[ClientKey.self] = newValue }
  }

  var lonely: SharedClient { self[LonelyKey.self] }
  var outer: SharedClient { self[OuterKey.self] }
  var choosing: SharedClient { self[ChoosingKey.self] }
  var tested: SharedClient { self[TestedKey.self] }
}

/// An environment with overrides of its own.
struct Named: ScopeCapturing {
  let scope = DependencyScope.current

  func overriding(_ update: (inout Dependencies) -> Void) -> Self {
    recreated(fileID: #fileID, line: #line, overriding: update)
  }
}

/// A read where nothing is known of the key at compile time.
func read<Key: DependencyKey>(_ key: Key.Type, in scope: DependencyScope) -> Key.Value {
  scope[key]
}

enum OneKey: DependencyKey { static var defaultValue: Int { 1 } }
enum TwoKey: DependencyKey { static var defaultValue: Int { 2 } }
private enum ThreeKey: DependencyKey { static var defaultValue: Int { 3 } }
private enum FourKey: DependencyKey { static var defaultValue: Int { 4 } }

extension Dependencies {
  var one: Int {
    get { self[OneKey.self] }
    set { self[OneKey.self] = newValue }
  }

  var two: Int {
    get { self[TwoKey.self] }
    set { self[TwoKey.self] = newValue }
  }

  var three: Int {
    get { self[ThreeKey.self] }
    set { self[ThreeKey.self] = newValue }
  }

  var four: Int {
    get { self[FourKey.self] }
    set { self[FourKey.self] = newValue }
  }
}
