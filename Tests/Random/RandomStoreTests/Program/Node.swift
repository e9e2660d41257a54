import ComposableReducers

/// The state of a feature.
struct Node: Sendable {
  var number = 0
  var log: [Int] = []
  /// Actions without an order.
  var racing: Set<Int> = []
  var children: [Slot]
  let life: Life?

  init(_ feature: Feature, number: Int = 0, life: Life?) {
    self.number = number
    self.life = life
    children = feature.children.map { child in
      switch child.link {
      case .property: .property(Node(child, life: life))
      case .optional: .optional(Node(child, life: life))
      case .enumCase: .enumCase(.node(Node(child, life: life)))
      case .identifiedArray:
        .identifiedArray(
          IdentifiedArray(
            uniqueElements: (0..<2).map { Node(child, number: $0, life: life) }, id: \.number))
      case .dictionary:
        .dictionary([0: Node(child, life: life), 1: Node(child, number: 1, life: life)])
      }
    }
  }

  /// Removes a child, or adds a new one; the second of several.
  mutating func toggle(_ child: Int, of feature: Feature) {
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
