/// A part of an effect, for actions of any type.
///
/// Effects are prepared and freed without recursion, so no depth of nesting overflows the stack.
// Unchecked. Sound: only `deinit` changes it.
@usableFromInline
final class EffectNode: @unchecked Sendable {
  enum Kind {
    case send(any Sendable)
    case run(EffectRun)
    case merge([EffectNode])
    case concatenate([EffectNode])
    /// Runs the transform in the effect's scope, or anywhere.
    case mapped(EffectNode, inScope: Bool, ActionMap.Transform)
    case ofChild(EffectNode, ChildLink)
    case scoped(EffectNode, DependencyScope)
    case cancellable(EffectNode, EffectID, cancelInFlight: Bool)
    case throttled(EffectNode, Throttling)
    /// Opens the next interval of a throttle, in the sequence that waited for it.
    case openInterval(Throttling)
    case cancel(EffectID)
  }

  private(set) var kind: Kind

  init(_ kind: Kind) {
    self.kind = kind
  }

  deinit {
    // One by one: a recursion would overflow the stack.
    var nodes = takeParts()
    while var node = nodes.popLast() {
      if isKnownUniquelyReferenced(&node) { nodes += node.takeParts() }
    }
  }

  private func takeParts() -> [EffectNode] {
    defer { kind = .merge([]) }
    return switch kind {
    case .send, .run, .openInterval, .cancel: []
    case .merge(let nodes), .concatenate(let nodes): nodes
    case .mapped(let node, _, _), .ofChild(let node, _), .scoped(let node, _),
      .cancellable(let node, _, _), .throttled(let node, _):
      [node]
    }
  }
}

/// An asynchronous operation.
struct EffectRun: Sendable {
  typealias Operation = @Sendable (RunningEffect) async -> Void

  var priority: TaskPriority?
  let place: SourcePlace
  let operation: Operation
}
