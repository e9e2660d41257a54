import ComposableEnvironment
import Testing

private enum RadioVolumeKey: DependencyKey {
  static let defaultValue = 0.8
}
private enum VolumeKey: DependencyKey {
  static let defaultValue = 0.5
}

extension Dependencies {
  var radioVolume: Double {
    get { self[RadioVolumeKey.self] }
    set { self[RadioVolumeKey.self] = newValue }
  }
  var volume: Double {
    get { self[VolumeKey.self] }
    set { self[VolumeKey.self] = newValue }
  }
}

struct RadioEnvironment: ComposableEnvironment {
  let scope = DependencyScope.current
  @Dependency(\.radioVolume) var volume
}

struct StudioEnvironment: ComposableEnvironment {
  let scope = DependencyScope.current
  @DerivedEnvironment<RadioEnvironment>(aliases: { $0.alias(\.radioVolume, to: \.volume) })
  var radio
}

@Suite("Snippets of Aliases")
struct AliasesSnippets {
  @Test("declared with a child")
  func derived() {
    DependencyScope.isolated().run {
      let studio = StudioEnvironment()
      assert(studio.radio.volume == 0.5)  // the target's default
      assert(studio.with(\.volume, 1).radio.volume == 1)
      assert(studio.with(\.radioVolume, 0).volume == 0)
      studio.alias(\.radioVolume, to: \.volume)
      Dependencies.alias(\.radioVolume, to: \.volume)
    }
  }

  @Test("of one store")
  func stores() {
    DependencyScope.isolated().run {
      Dependencies.alias(\.radioVolume, to: \.volume)
      assert(DependencyScope.current.radioVolume == 0.5)
      Dependencies.clearAliases()
      assert(DependencyScope.current.radioVolume == 0.8)
    }
    assert(DependencyScope.current.radioVolume == 0.8)  // another store
  }
}
