import ComposableEnvironment
import GlobalEnvironment
import TestSupport

// `EnvironmentType` repeats these declarations for the interpreter.

struct Feature: ComposableTestEnvironment {
  let scope = DependencyScope.current
  @Dependency(\.k0) var k0
  @Dependency(NumberKey<Zero, Six>.self) var k6
  @Dependency(\.k3) var k3
  @DerivedEnvironment<Screen> var screen
  @DerivedEnvironment var tuned = Leaf(stored: 7).with(\.k0, 7001).with(\.k2, Token(7002))
  @DerivedEnvironment<Settings> var settings
  var stored = 0
  var life = Tracked(.environments)

  var declared: [Int] { [k0, k6, k3.number] }
  static var slots: [Slot<Self>] { [Slot(\.screen), Slot(\.tuned), Slot(\.settings)] }
}

/// Derives the environment that derives it.
struct Screen: ComposableTestEnvironment {
  let scope = DependencyScope.current
  @Dependency(\.k1) var k1
  @Dependency(\.k7) var k7
  @DerivedEnvironment<Feature> var feature
  @DerivedEnvironment<Leaf> var leaf
  var stored = 0
  var life = Tracked(.environments)

  var declared: [Int] { [k1, k7] }
  static var slots: [Slot<Self>] { [Slot(\.feature), Slot(\.leaf)] }
}

/// Derives itself.
struct Leaf: ComposableTestEnvironment {
  let scope = DependencyScope.current
  @Dependency(\.k0) var k0
  @Dependency(\.k1) var k1
  @Dependency(ObjectKey<Zero, Two>.self) var k2
  @Dependency(\.k4) var k4
  @DerivedEnvironment<Leaf> var leaf
  var stored = 0
  var life = Tracked(.environments)

  var declared: [Int] { [k0, k1, k2.number, k4] }
  static var slots: [Slot<Self>] { [Slot(\.leaf)] }
}

struct Aliasing: ComposableTestEnvironment {
  let scope = DependencyScope.current
  @Dependency(\.k1) var k1
  @Dependency(\.k4) var k4
  @DerivedEnvironment<Leaf>(aliases: { $0.alias(\.k1, to: \.k4) }) var leaf
  var stored = 0
  var life = Tracked(.environments)

  var declared: [Int] { [k1, k4] }
  static var slots: [Slot<Self>] { [Slot(\.leaf)] }
}

/// Sets, for a child, a dependency that it aliases.
struct AliasingTuned: ComposableTestEnvironment {
  let scope = DependencyScope.current
  @Dependency(\.k1) var k1
  @Dependency(\.k4) var k4
  @DerivedEnvironment(aliases: { $0.alias(\.k1, to: \.k4) }) var leaf = Leaf().with(\.k1, 7003)
  var stored = 0
  var life = Tracked(.environments)

  var declared: [Int] { [k1, k4] }
  static var slots: [Slot<Self>] { [Slot(\.leaf)] }
}

struct Settings: GlobalEnvironment, TestEnvironment {
  @Dependency(\.k0) var k0
  @Dependency(\.k1) var k1
  @DerivedEnvironment<Leaf> var leaf

  var declared: [Int] { [k0, k1] }
  static var slots: [Slot<Self>] { [Slot(\.leaf)] }

  func value(_ path: Key.Path, byMember: Bool) -> Int {
    switch path {
    case .number(let keyPath): byMember ? self[dynamicMember: keyPath] : self[keyPath]
    case .object(let keyPath):
      byMember ? self[dynamicMember: keyPath].number : self[keyPath].number
    }
  }
}

extension EnvironmentType {
  func make() -> any TestEnvironment {
    switch self {
    case .feature: Feature()
    case .screen: Screen()
    case .leaf: Leaf()
    case .aliasing: Aliasing()
    case .aliasingTuned: AliasingTuned()
    case .settings: Settings()
    }
  }
}

/// An environment of the programs.
protocol TestEnvironment: DependencyEnvironment {
  /// The values of the dependencies that it declares.
  var declared: [Int] { get }
  /// The value of a dependency, read by its name.
  func value(_ path: Key.Path, byMember: Bool) -> Int
  static var slots: [Slot<Self>] { get }
}

/// A derived environment of an environment.
struct Slot<Parent>: Sendable {
  let get: @Sendable (Parent) -> any TestEnvironment
  let set: @Sendable (inout Parent, any TestEnvironment) -> Void

  init<Child: TestEnvironment>(_ child: any WritableKeyPath<Parent, Child> & Sendable) {
    get = { $0[keyPath: child] }
    set = { $0[keyPath: child] = $1 as! Child }
  }
}

extension TestEnvironment {
  func derived(_ slots: some Sequence<Int>) -> any TestEnvironment {
    slots.reduce(self as any TestEnvironment) { $0.derived($1) }
  }

  private func derived(_ slot: Int) -> any TestEnvironment {
    Self.slots[slot].get(self)
  }

  /// Changes a derived environment in place, like `parent.child.grandchild[\.key] = value`.
  mutating func updateDerived(
    _ slots: ArraySlice<Int>, _ update: (any TestEnvironment) -> any TestEnvironment
  ) {
    let slot = Self.slots[slots.first!]
    var child = slot.get(self)
    if slots.count == 1 {
      child = update(child)
    } else {
      child.updateDerived(slots.dropFirst(), update)
    }
    slot.set(&self, child)
  }
}

/// A composable environment of the programs.
protocol ComposableTestEnvironment: ComposableEnvironment, TestEnvironment {
  var stored: Int { get set }
  var life: Tracked { get set }
}

extension ComposableTestEnvironment {
  mutating func adopt(from other: Self) {
    stored = other.stored
    life = other.life
  }

  func value(_ path: Key.Path, byMember: Bool) -> Int {
    switch path {
    case .number(let keyPath): byMember ? self[dynamicMember: keyPath] : self[keyPath]
    case .object(let keyPath):
      byMember ? self[dynamicMember: keyPath].number : self[keyPath].number
    }
  }

  func setting(_ path: Key.Path, _ value: Int, countedBy counter: AliveCounter, inPlace: Bool)
    -> Self
  {
    switch path {
    case .number(let keyPath):
      if !inPlace { return with(keyPath, value) }
      var copy = self
      copy[keyPath] = value
      return copy
    case .object(let keyPath):
      let token = Token(value, countedBy: counter)
      if !inPlace { return with(keyPath, token) }
      var copy = self
      copy[keyPath] = token
      return copy
    }
  }
}

extension AliveCounter {
  /// Counts the programs' environments that are alive in the process.
  static let environments = AliveCounter()
}
