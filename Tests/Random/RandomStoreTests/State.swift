import ComposableReducers
import TestSupport

/// The state of a feature.
struct Node: Sendable {
  var number = 0
  var log: [Int] = []
  /// Actions without an order.
  var racing: Set<Int> = []
  var children: [Slot]
  let life: Tracked?
  let feature: Feature

  init(_ feature: Feature, number: Int = 0, life: Tracked?) {
    self.number = number
    self.life = life
    self.feature = feature
    children = feature.children.map { child in
      switch child.link {
      case .property: .property(Node(child, life: life))
      case .optional: .optional(Node(child, life: life))
      case .enumCase: .enumCase(.node(Node(child, life: life)))
      case .identifiedArray:
        .identifiedArray(
          IdentifiedArray(
            (0..<2).map { Node(child, number: $0, life: life) }, id: \.number))
      case .dictionary:
        .dictionary([0: Node(child, life: life), 1: Node(child, number: 1, life: life)])
      }
    }
    // At the bottom of a recursion, the feature contains itself no more.
    if case .same? = feature.children.last?.source { return }
    switch feature.recursion {
    case nil: break
    case .optional: children.append(.optional(nil))
    case .enumCase: children.append(.enumCase(.nothing))
    case .dictionary: children.append(.dictionary([:]))
    case .identifiedArray, .property:
      children.append(.identifiedArray(IdentifiedArray(id: \.number)))
    }
  }

  /// Removes a child, or adds a new one; the second of several.
  mutating func toggle(_ child: Int) {
    let new = Node(feature.children[child], number: 1, life: life)
    switch children[child] {
    case .property: children[child] = .property(new)
    case .optional(let node): children[child] = .optional(node == nil ? new : nil)
    case .enumCase(.node): children[child] = .enumCase(.nothing)
    case .enumCase(.nothing): children[child] = .enumCase(.node(new))
    case .identifiedArray(var nodes):
      if nodes.remove(id: 1) == nil { nodes.append(new) }
      children[child] = .identifiedArray(nodes)
    case .dictionary(var nodes):
      if nodes.removeValue(forKey: 1) == nil { nodes[1] = new }
      children[child] = .dictionary(nodes)
    }
  }

  /// All actions that were reduced, by feature.
  var summary: String {
    let children = children.map { slot in
      switch slot {
      case .property(let node): node.summary
      case .optional(let node): node?.summary ?? "-"
      case .enumCase(.node(let node)): node.summary
      case .enumCase(.nothing): "-"
      case .identifiedArray(let nodes): nodes.map(\.summary).joined()
      case .dictionary(let nodes):
        nodes.sorted { $0.key < $1.key }.map(\.value.summary).joined()
      }
    }
    return "(\(log) \(racing.sorted())\(children.joined()))"
  }
}

/// How a parent stores a child.
enum Slot: Sendable {
  case property(Node)
  case optional(Node?)
  case enumCase(Variant)
  case identifiedArray(IdentifiedArray<Int, Node>)
  case dictionary([Int: Node])
}

indirect enum Variant: Sendable {
  case node(Node)
  case nothing
}

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
