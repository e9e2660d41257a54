import ComposableEnvironment
import GlobalEnvironment

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
  var life = Life()

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
  var life = Life()

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
  var life = Life()

  var declared: [Int] { [k0, k1, k2.number, k4] }
  static var slots: [Slot<Self>] { [Slot(\.leaf)] }
}

struct Aliasing: ComposableTestEnvironment {
  let scope = DependencyScope.current
  @Dependency(\.k1) var k1
  @Dependency(\.k4) var k4
  @DerivedEnvironment<Leaf>(aliases: { $0.alias(\.k1, to: \.k4) }) var leaf
  var stored = 0
  var life = Life()

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
  var life = Life()

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
