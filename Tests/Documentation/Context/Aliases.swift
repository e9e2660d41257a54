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

@Test("aliases of one environment and of all")
private func aliases() {
  DependencyScope.isolated().run {
    // block: let studio = StudioEnvironment()
    // block: studio.aliasing(
  }
}
