/// What surrounds a part of an effect.
struct EffectContext: Sendable {
  /// The group of the action that the program sent, and of those that its effects send.
  private(set) var action: RunningEffect?
  /// The group, sequence or operation around it.
  private(set) var parent: RunningEffect?
  /// The sequence or operation around it.
  private(set) var owner: RunningEffect?
  /// For a part of an operation, the whole operation.
  private(set) var operation: RunningEffect?
  /// The action whose reducer returned the effect, if the store is a test's.
  var cause: (any Sendable)?
  var scope: DependencyScope
  var maps: ActionMap?
  /// The child whose reducer returned the effect.
  var child: EffectChild

  /// Creates the context of the effects of an action; without a group, the context of a new group.
  init(action: RunningEffect? = nil, scope: DependencyScope, child: EffectChild) {
    self.action = action
    self.parent = action
    self.scope = scope
    self.child = child
  }

  /// Continues in a group, or in a part of a sequence.
  mutating func enter(_ effect: RunningEffect) {
    parent = effect
    if !effect.isGroup { owner = effect }
  }

  /// Continues in a part of an operation, in the current scope.
  mutating func enterPart(of effect: RunningEffect) {
    enter(effect)
    operation = operation ?? effect
    scope = .current
  }

  /// Whether something around the effect was canceled.
  var isCancelled: Bool { action?.isCancelled == true || owner?.isCancelled == true }

  /// Turns an action of the effect into one of the store.
  func transform(_ action: any Sendable) -> any Sendable {
    var (action, next) = (action, maps)
    while let map = next { (action, next) = (map.apply(action), map.outer) }
    return action
  }

  /// Removes and returns the parent, when the effect is freed.
  mutating func takeParent() -> RunningEffect? {
    // The parent, or something above it, retains these, too.
    (action, owner, operation) = (nil, nil, nil)
    return parent.take()
  }
}

/// Turns the actions of an effect into those of the effect around it.
// Unchecked. Sound: only `deinit` changes it.
final class ActionMap: @unchecked Sendable {
  typealias Transform = @Sendable (any Sendable) -> any Sendable

  private let transform: Transform
  private let scope: DependencyScope?
  private(set) var outer: ActionMap?

  /// - Parameter scope: The scope to run in; `nil` if it doesn't matter.
  init(_ transform: @escaping Transform, in scope: DependencyScope?, inside outer: ActionMap?) {
    self.transform = transform
    self.scope = scope
    self.outer = outer
  }

  func apply(_ action: any Sendable) -> any Sendable {
    guard let scope, scope.identity != DependencyScope.current.identity else {
      return transform(action)
    }
    return scope.run { transform(action) }
  }

  deinit {
    // One by one: a recursion would overflow the stack.
    var next = outer.take()
    while isKnownUniquelyReferenced(&next), let outer = next?.outer.take() { next = outer }
  }
}
