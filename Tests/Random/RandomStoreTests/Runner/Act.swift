import ComposableReducers

/// An action on its way to a feature.
indirect enum Act: Sendable {
  case own(ActionSpec, tags: Int)
  case child(Int, Act)
  case element(Int, id: Int, Act)

  init(_ path: Path, _ action: ActionSpec) {
    self = path.reversed().reduce(.own(action, tags: 0)) { act, step in
      if let id = step.element {
        .element(step.child, id: id, act)
      } else {
        .child(step.child, act)
      }
    }
  }

  init(_ sent: SentAction) {
    self.init(sent.path, sent.action)
  }

  /// The innermost action, and how often it was marked.
  var leaf: (action: ActionSpec, tags: Int) {
    switch self {
    case .own(let action, let tags): (action, tags)
    case .child(_, let act), .element(_, id: _, let act): act.leaf
    }
  }

  var marked: Act {
    switch self {
    case .own(let action, let tags): .own(action, tags: tags + 1)
    case .child(let child, let act): .child(child, act.marked)
    case .element(let child, let id, let act): .element(child, id: id, act.marked)
    }
  }

  static func path(to child: Int) -> CasePath<Act, Act> {
    CasePath {
      .child(child, $0)
    } extract: {
      if case .child(child, let act) = $0 { act } else { nil }
    }
  }

  static func path(toElementsOf child: Int) -> CasePath<Act, (Int, Act)> {
    CasePath { id, act in
      .element(child, id: id, act)
    } extract: {
      if case .element(child, let id, let act) = $0 { (id, act) } else { nil }
    }
  }
}

extension Slot {
  var property: Node {
    get { if case .property(let node) = self { node } else { preconditionFailure() } }
    set { self = .property(newValue) }
  }

  var optional: Node? {
    get { if case .optional(let node) = self { node } else { preconditionFailure() } }
    set { self = .optional(newValue) }
  }

  var enumCase: Variant {
    get { if case .enumCase(let variant) = self { variant } else { preconditionFailure() } }
    set { self = .enumCase(newValue) }
  }

  var identifiedArray: IdentifiedArray<Int, Node> {
    get { if case .identifiedArray(let nodes) = self { nodes } else { preconditionFailure() } }
    set { self = .identifiedArray(newValue) }
  }

  var dictionary: [Int: Node] {
    get { if case .dictionary(let nodes) = self { nodes } else { preconditionFailure() } }
    set { self = .dictionary(newValue) }
  }
}

extension Variant {
  static let node = CasePath<Variant, Node> {
    .node($0)
  } extract: {
    if case .node(let node) = $0 { node } else { nil }
  }
}
