extension LifetimeState {
  /// Returns the tasks of resources that are still opening.
  mutating func beginClosing() -> [Task<Void, Never>] {
    phase = .closing
    return resources.filter(\.isOpening).compactMap(\.task)
  }

  var isAnythingLeft: Bool { !opened.isEmpty || isAnyOpening }

  var isAnyOpening: Bool { resources.contains(where: \.isOpening) }

  /// Returns the last opened resource that no open resource depends on.
  mutating func nextToClose() -> ToClose? {
    let next = opened.last { index in
      !opened.contains { resources[$0].needs.contains(index) }
    }
    guard let index = next, case .open(let value) = resources[index].phase else { return nil }
    let resource = resources[index]
    resource.phase = .closing
    return ToClose(
      index: index, key: resource.key, value: value, task: resource.isLive ? resource.task : nil,
      isLive: resource.isLive)
  }

  /// A resource to close.
  ///
  /// It retains the value, whose deinitializer may run user code.
  struct ToClose {
    let index: Int
    let key: any ResourceKey.Type
    let value: any Sendable
    let task: Task<Void, Never>?
    let isLive: Bool
  }

  mutating func didClose(_ index: Int) {
    resources[index].phase = .closed
    opened.removeAll { $0 == index }
  }

  /// What closing waits for: a key, and its function that hasn't returned.
  var closingStep: (key: any ResourceKey.Type, function: String)? {
    for resource in resources {
      switch resource.phase {
      case .opening: return (resource.key, "open")
      case .closing: return (resource.key, resource.isLive ? "run" : "close")
      default: break
      }
    }
    return nil
  }

  /// Returns the resources to release outside the lock.
  mutating func end() -> [Resource] {
    phase = .ended
    defer { resources = [] }
    return resources
  }
}
