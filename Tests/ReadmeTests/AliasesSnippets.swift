import ComposableEnvironment
import Testing

private enum PlayerVolumeKey: DependencyKey {
  static let defaultValue = 0.8
}
private enum VolumeKey: DependencyKey {
  static let defaultValue = 0.5
}

extension Dependencies {
  var playerVolume: Double {
    get { self[PlayerVolumeKey.self] }
    set { self[PlayerVolumeKey.self] = newValue }
  }
  var volume: Double {
    get { self[VolumeKey.self] }
    set { self[VolumeKey.self] = newValue }
  }
}

struct PlayerEnvironment: ComposableEnvironment {
  let scope = DependencyScope.current
  @Dependency(\.playerVolume) var volume
}

struct StudioEnvironment: ComposableEnvironment {
  let scope = DependencyScope.current
  @DerivedEnvironment<PlayerEnvironment>(aliases: { $0.alias(\.playerVolume, to: \.volume) })
  var player
}

@Suite("Snippets of Aliases")
struct AliasesSnippets {
  @Test("declared with a child")
  func derived() {
    DependencyScope.isolated().run {
      let studio = StudioEnvironment()
      assert(studio.player.volume == 0.5)  // the target's default
      assert(studio.with(\.volume, 1).player.volume == 1)
      assert(studio.with(\.playerVolume, 0).volume == 0)
      studio.aliasing(\.playerVolume, to: \.volume)
    }
  }

  @Test("of one store")
  func stores() {
    DependencyScope.isolated().run {
      StudioEnvironment().aliasing(\.playerVolume, to: \.volume)
      assert(DependencyScope.current.playerVolume == 0.5)
      Dependencies.clearAliases()
      assert(DependencyScope.current.playerVolume == 0.8)
    }
    assert(DependencyScope.current.playerVolume == 0.8)  // another store
  }
}
