/// A store according to the rules.
final class ModelStore {
  struct Throttle {
    var end: Int
    var next: ModelSequence?
  }

  struct WaitingAction {
    var path: Path
    var action: ActionSpec
    var tags: Int
    var flight: ModelFlight
    /// A token for the effect that sent it.
    var task: ModelTask?
  }

  let number: Int
  let spec: StoreSpec
  var node: Node
  var isThere = true
  var isReducing = false
  var waiting: [WaitingAction] = []
  var running: [ModelTask] = []
  /// The tokens of waiting actions.
  var sending: [ModelTask] = []
  var throttles: [Identifier: Throttle] = [:]

  init(_ number: Int, _ spec: StoreSpec) {
    self.number = number
    self.spec = spec
    node = Node(spec.root, life: nil)
  }
}

/// The environment of a feature: its captured scope, if it has one.
struct ModelEnvironment {
  var kind: Feature.Kind
  var scope: Overrides
  /// The overrides on the child that is derived from it.
  var childOverrides: Overrides = [:]

  /// The environment of a child of the feature whose scope is `current`.
  func child(_ feature: Feature, current: Overrides) -> ModelEnvironment {
    guard case .named(let overrides) = feature.source else {
      return ModelEnvironment(kind: feature.kind, scope: current)
    }
    var scope = kind == .plain ? current : self.scope
    if feature.kind == .composable {
      scope.merge(childOverrides) { $1 }
      scope.merge(overrides) { $1 }
    }
    return ModelEnvironment(kind: feature.kind, scope: scope)
  }
}
