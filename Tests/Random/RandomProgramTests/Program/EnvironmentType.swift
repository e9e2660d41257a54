/// The environments that a program creates, and their declarations.
enum EnvironmentType: Int, CaseIterable, Sendable {
  case feature, screen, leaf, aliasing, aliasingTuned, settings

  /// A derived environment.
  struct Slot: Sendable {
    let name: String
    let type: EnvironmentType
    /// The overrides in its declaration.
    var changes: [Change] = []
    var stored = 0
  }

  /// The keys of the dependencies that it declares.
  var declared: [Int] {
    switch self {
    case .feature: [0, 6, 3]
    case .screen: [1, 7]
    case .leaf: [0, 1, 2, 4]
    case .aliasing, .aliasingTuned: [1, 4]
    case .settings: [0, 1]
    }
  }

  var slots: [Slot] {
    switch self {
    case .feature:
      [
        Slot(name: "screen", type: .screen),
        Slot(
          name: "tuned", type: .leaf,
          changes: [Change(key: 0, value: 7001), Change(key: 2, value: 7002)], stored: 7),
        Slot(name: "settings", type: .settings),
      ]
    case .screen: [Slot(name: "feature", type: .feature), Slot(name: "leaf", type: .leaf)]
    case .leaf: [Slot(name: "leaf", type: .leaf)]
    case .aliasing: [Slot(name: "leaf", type: .leaf)]
    case .aliasingTuned:
      [Slot(name: "leaf", type: .leaf, changes: [Change(key: 1, value: 7003)])]
    case .settings: [Slot(name: "leaf", type: .leaf)]
    }
  }

  /// Whether it aliases ``aliasedKey`` to ``aliasTarget``, with its derived environment.
  var declaresAlias: Bool { self == .aliasing || self == .aliasingTuned }

  static let aliasedKey = 1
  static let aliasTarget = 4
}
