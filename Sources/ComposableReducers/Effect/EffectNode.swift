/// A part of an effect, for actions of any type.
///
/// Effects are interpreted and freed without recursion, so no depth of nesting overflows the stack.
@usableFromInline
class EffectNode: @unchecked Sendable {  // Only `deinit` changes it.
  enum Kind {
    case send(any Sendable)
    /// The node is an ``EffectRun``.
    case run
    case merge([EffectNode])
    case concatenate([EffectNode])
    case mapped(EffectNode, ActionMap)
    case scoped(EffectNode, DependencyScope)
    case owned(EffectNode, EffectOwnership)
    case cancellable(EffectNode, EffectID, cancelInFlight: Bool)
    case throttled(EffectNode, EffectID, Throttling)
    case cancel([EffectID])
  }

  @safe @exclusivity(unchecked) private(set) final var kind: Kind

  /// Whether the effect has ended as soon as it is started.
  final let isInstantaneous: Bool

  private final let isRun: Bool
  private final let depth: Int

  init(_ kind: Kind) {
    self.kind = kind
    isRun = false
    switch kind {
    case .send, .cancel:
      (isInstantaneous, depth) = (true, 0)
    case .run:
      preconditionFailure("It is made without a kind.")
    case .merge(let nodes), .concatenate(let nodes):
      isInstantaneous = nodes.allSatisfy(\.isInstantaneous)
      depth = 1 + (nodes.lazy.map(\.depth).max() ?? 0)
    case .mapped(let node, _), .scoped(let node, _), .owned(let node, _),
      .cancellable(let node, _, _):
      (isInstantaneous, depth) = (node.isInstantaneous, node.depth + 1)
    case .throttled(let node, _, _):
      (isInstantaneous, depth) = (false, node.depth + 1)
    }
  }

  /// Makes an ``EffectRun``.
  @usableFromInline
  init() {
    kind = .run
    (isRun, isInstantaneous, depth) = (true, false, 0)
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
    return parts
  }

  /// The effects that this one consists of.
  private var parts: [EffectNode] {
    switch kind {
    case .send, .run, .cancel: []
    case .merge(let nodes), .concatenate(let nodes): nodes
    case .mapped(let node, _), .scoped(let node, _), .owned(let node, _),
      .cancellable(let node, _, _), .throttled(let node, _, _):
      [node]
    }
  }
}

extension EffectNode {
  /// The operation that this is, if it is one.
  var run: EffectRun? {
    // Sound: no other node has this kind. Which is asked apart, for a kind takes long to be copied.
    isRun ? unsafe unsafeDowncast(self, to: EffectRun.self) : nil
  }

  /// Both, side by side or one after the other; `nil` if there is nothing to do.
  @usableFromInline
  static func combined(_ nodes: [EffectNode], inOrder: Bool) -> EffectNode? {
    guard nodes.count > 1 else { return nodes.first }
    return EffectNode(inOrder ? .concatenate(nodes) : .merge(nodes))
  }

  /// Where the parts were made that take time.
  var places: [SourceLocation] {
    var places: [SourceLocation] = []
    var nodes = [self]
    while let node = nodes.popLast() {
      if let run = node.run { places.append(run.place) }
      nodes += node.parts.reversed()
    }
    return places
  }
}

/// Turns the actions of an effect into other actions.
struct ActionMap: Sendable {
  let apply: @Sendable (any Sendable) -> any Sendable
}
