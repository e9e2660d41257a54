import ComposableReducers
import TestSupport

/// An environment that names its children's environments.
protocol TreeEnvironment: Sendable {
  func composable(_ overrides: Overrides) -> ComposableFeature
  func global() -> GlobalFeature
}

struct ComposableFeature: ComposableEnvironment, TreeEnvironment {
  let scope = DependencyScope.current
  var life = Life()
  @DerivedEnvironment<ComposableFeature> var child
  @DerivedEnvironment<GlobalFeature> var globalChild

  mutating func adopt(from other: Self) {
    life = other.life
  }

  func composable(_ overrides: Overrides) -> ComposableFeature { child.overriding(overrides) }
  func global() -> GlobalFeature { globalChild }

  func overriding(_ overrides: Overrides) -> ComposableFeature {
    overrides.isEmpty ? self : with { $0.set(overrides) }
  }
}

struct GlobalFeature: GlobalEnvironment, TreeEnvironment {
  let life = Life()
  @DerivedEnvironment<ComposableFeature> var child
  @DerivedEnvironment<GlobalFeature> var globalChild

  func composable(_ overrides: Overrides) -> ComposableFeature { child.overriding(overrides) }
  func global() -> GlobalFeature { globalChild }
}

struct PlainFeature: TreeEnvironment {
  let life = Life()

  func composable(_ overrides: Overrides) -> ComposableFeature {
    ComposableFeature().overriding(overrides)
  }

  func global() -> GlobalFeature { GlobalFeature() }
}

extension Dependencies {
  mutating func set(_ overrides: Overrides) {
    for (key, value) in overrides {
      switch key {
      case 0: a = value
      case 1: b = value
      case 2: c = value
      default: d = value
      }
    }
  }
}

extension Reading {
  static var current: Reading {
    let scope = DependencyScope.current
    return Reading(values: [scope.a, scope.b, scope.c, scope.d, scope.double])
  }
}
