package import ComposableDependencies
internal import Synchronization

private enum AKey: DependencyKey { static var defaultValue: Int { 1 } }
private enum BKey: DependencyKey { static var defaultValue: Int { 2 } }
private enum CKey: DependencyKey { static var defaultValue: Int { 3 } }
private enum DKey: DependencyKey { static var defaultValue: Int { 4 } }
private enum NameKey: DependencyKey { static var defaultValue: String { "nobody" } }
private enum CounterKey: DependencyKey { static let defaultValue = Counter() }

private enum MailerKey: DependencyKey {
  static let defaultValue = "live"
  static let testValue = "test"
}

/// A default that reads another dependency.
private enum DoubleKey: DependencyKey {
  static var defaultValue: Int { DependencyScope.current.a * 2 }
}

extension Dependencies {
  package var a: Int {
    get { self[AKey.self] }
    set { self[AKey.self] = newValue }
  }

  package var b: Int {
    get { self[BKey.self] }
    set { self[BKey.self] = newValue }
  }

  package var c: Int {
    get { self[CKey.self] }
    set { self[CKey.self] = newValue }
  }

  package var d: Int {
    get { self[DKey.self] }
    set { self[DKey.self] = newValue }
  }

  package var name: String {
    get { self[NameKey.self] }
    set { self[NameKey.self] = newValue }
  }

  /// Has a default made from `a`.
  package var double: Int {
    get { self[DoubleKey.self] }
    set { self[DoubleKey.self] = newValue }
  }

  /// Has no key of its own.
  package var sum: Int { a + b }

  /// Has a test value.
  package var mailer: String {
    get { self[MailerKey.self] }
    set { self[MailerKey.self] = newValue }
  }

  package var counter: Counter {
    get { self[CounterKey.self] }
    set { self[CounterKey.self] = newValue }
  }
}

/// Counts from one.
package final class Counter: Sendable {
  private let last = Mutex(0)

  package init() {}

  package var count: Int { last.withLock { $0 } }

  package func next() -> Int {
    last.withLock {
      $0 += 1
      return $0
    }
  }
}

/// As many keys as a test needs.
package enum ManyKeys {
  /// Zero and its successors, a type for each number.
  package struct Zero: Sendable {}
  package struct Next<Number: Sendable>: Sendable {}

  package enum Key<Number: Sendable>: DependencyKey {
    package static var defaultValue: Int { -1 }
  }

  package struct Member: Hashable, Sendable {
    package let number: Int
    let get: @Sendable (Dependencies) -> Int
    let set: @Sendable (inout Dependencies, Int) -> Void

    package static func == (lhs: Self, rhs: Self) -> Bool { lhs.number == rhs.number }
    package func hash(into hasher: inout Hasher) { hasher.combine(number) }
  }

  package static func first(_ count: Int) -> [Member] {
    members(from: 0, count: count, Zero.self)
  }

  private static func members<Number: Sendable>(
    from number: Int, count: Int, _ type: Number.Type
  ) -> [Member] {
    guard count > 0 else { return [] }
    let member = Member(
      number: number,
      get: { $0[Key<Number>.self] },
      set: { $0[Key<Number>.self] = $1 })
    return [member] + members(from: number + 1, count: count - 1, Next<Number>.self)
  }
}

extension Dependencies {
  package subscript(member member: ManyKeys.Member) -> Int {
    get { member.get(self) }
    set { member.set(&self, newValue) }
  }
}

extension DependencyScope {
  package subscript(member: ManyKeys.Member) -> Int {
    var value = 0
    run { withDependencies({ value = $0[member: member] }, operation: {}) }
    return value
  }

  package func with(_ member: ManyKeys.Member, _ value: Int) -> DependencyScope {
    run { withDependencies({ $0[member: member] = value }, operation: { .current }) }
  }
}

extension DependencyScope {
  package func setGlobally<Value>(
    _ keyPath: WritableKeyPath<Dependencies, Value>, _ value: Value
  ) {
    setGlobally { $0.set(keyPath, to: value) }
  }
}

/// The same content four times, for values that are large.
package struct Four<Content: Sendable>: Sendable {
  package let first, second, third, fourth: Content

  package init(_ content: Content) {
    (first, second, third, fourth) = (content, content, content, content)
  }
}

extension Four: Equatable where Content: Equatable {}
