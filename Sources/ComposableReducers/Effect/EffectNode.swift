/// A part of an effect, for actions of any type.
///
/// Effects are prepared and freed without recursion, so no depth of nesting overflows the stack.
@usableFromInline
final class EffectNode: @unchecked Sendable {  // Only `deinit` changes it.
  enum Kind {
    case send(any Sendable)
    case run(EffectRun)
    case merge([EffectNode])
    case concatenate([EffectNode])
    case mapped(EffectNode, ActionMap)
    case ofChild(EffectNode, ChildLink)
    case scoped(EffectNode, DependencyScope)
    case cancellable(EffectNode, EffectID, cancelInFlight: Bool)
    case throttled(EffectNode, Throttling, hasWaited: Bool)
    case cancel([EffectID])
  }

  private(set) var kind: Kind

  /// Whether a part of it ends with the state of a child.
  let endsWithChild: Bool

  private let depth: Int

  init(_ kind: Kind) {
    self.kind = kind
    let parts = Self.parts(of: kind)
    depth = (parts.lazy.map { $0.depth + 1 }.max() ?? 0)
    if case .ofChild(_, let link) = kind, link.mayGo {
      endsWithChild = true
    } else {
      endsWithChild = parts.contains { $0.endsWithChild }
    }
  }

  deinit {
    guard depth > 50 else { return }
    var nodes = takeParts()
    while var node = nodes.popLast() {
      if isKnownUniquelyReferenced(&node) { nodes += node.takeParts() }
    }
  }

  private func takeParts() -> [EffectNode] {
    defer { kind = .cancel([]) }
    return Self.parts(of: kind)
  }

  private static func parts(of kind: Kind) -> [EffectNode] {
    switch kind {
    case .send, .run, .cancel: []
    case .merge(let nodes), .concatenate(let nodes): nodes
    case .mapped(let node, _), .ofChild(let node, _), .scoped(let node, _),
      .cancellable(let node, _, _), .throttled(let node, _, _):
      [node]
    }
  }
}

/// An asynchronous operation.
final class EffectRun: Sendable {
  typealias Operation = @Sendable (RunningEffect) async -> Void

  let priority: TaskPriority?
  let place: SourceLocation
  let operation: Operation

  init(
    priority: TaskPriority? = nil, at place: SourceLocation, _ operation: @escaping Operation
  ) {
    self.priority = priority
    self.place = place
    self.operation = operation
  }
}

/// Turns the actions of an effect into other actions.
struct ActionMap: Sendable {
  let apply: @Sendable (any Sendable) -> any Sendable
}

extension [ActionMap] {
  /// Applies the last one first.
  func apply(_ action: any Sendable) -> any Sendable {
    isEmpty ? action : reversed().reduce(action) { $1.apply($0) }
  }
}

/// How a pullback finds a child's state in its parent's.
struct ChildLink: Sendable {
  let step: ChildID.Step
  /// Whether the child's state can go away, and its effects with it.
  let mayGo: Bool
  /// Turns a `Condition` on the child's state into one on the parent's: that the child exists, and
  /// the condition holds, if there is one.
  let lift: @Sendable ((any Sendable)?) -> any Sendable
}

/// A condition on a state, for example that a child exists in it.
struct Condition<State>: Sendable {
  let holds: @Sendable (State) -> Bool
}
