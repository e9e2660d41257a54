internal import Synchronization

/// What surrounds a part of an effect.
struct EffectContext: Sendable {
  /// The number of the action that the program sent, to which those that the effect sends belong.
  let action: Int
  /// Returns the action whose reducer returned the effect, if there is a supervisor.
  var cause: (@Sendable () -> any Sendable)?
  var scope: DependencyScope
  /// The innermost last.
  var maps: [ActionMap] = []
  /// The pullbacks from the root to the reducer, if the effect ends with a child.
  var links: [ChildLink] = []
  var children: [(id: ChildID, condition: any Sendable)] = []
  /// The groups apart from the action's.
  var groups: [EffectGroup] = []
  /// Whether the effect is in the group of its action.
  var joinsAction = true
  /// The sequence or operation that the effect is a part of.
  var parent: RunningEffect?
  private var isPartOfSequence = false
  /// For a part of an operation, the task that the supervisor knows.
  var supervised: ObjectIdentifier?

  init(action: Int, scope: DependencyScope) {
    self.action = action
    self.scope = scope
  }

  /// The parent, if that is a sequence.
  var sequence: RunningEffect? { isPartOfSequence ? parent : nil }

  mutating func join(_ group: EffectGroup) {
    if groups.last != group { groups.append(group) }
  }

  /// Adds the effect to the group of the child that the links lead to.
  mutating func joinChild() {
    let id = ChildID(steps: links.map(\.step))
    let exists = links.reversed().reduce(nil as (any Sendable)?) { $1.lift($0) }!
    children.append((id, exists))
    join(.child(id))
  }

  /// Makes the effect a part of a sequence.
  mutating func joinPart(of sequence: RunningEffect) {
    groups.removeAll { if case .part = $0 { true } else { false } }
    groups.append(.part(of: sequence.number))
    parent = sequence
    isPartOfSequence = true
  }

  /// The context of a part of an operation, which an identifier cancels.
  ///
  /// The operation waits for its parts, so it alone is in the other groups.
  func part(of operation: RunningEffect, _ id: EffectID) -> EffectContext {
    var part = self
    part.scope = .current
    part.children = []
    part.groups = [.id(id)]
    part.joinsAction = false
    part.parent = operation
    part.isPartOfSequence = false
    part.supervised = operation.supervised
    return part
  }
}

/// A running part of an effect: an operation, a sequence, or an action that waits to be reduced.
package final class RunningEffect: Sendable {
  private struct State {
    var isCancelled = false
    var hasEnded = false
    var run: EffectRun?
    var task: Task<Void, Never>?
  }

  let number: Int
  let context: EffectContext
  let registry: EffectRegistry
  /// Where its operation comes from.
  let place: SourceLocation?
  private let state: Mutex<State>

  init(number: Int, _ context: EffectContext, _ run: EffectRun?, in registry: EffectRegistry) {
    self.number = number
    self.context = context
    self.registry = registry
    place = run?.place
    state = Mutex(State(run: run))
  }

  /// Whether nothing that it sends is reduced any more: it was cancelled, or what it is a part of.
  var isCancelled: Bool {
    var effect = self
    while !effect.isMarkedAsCancelled {
      guard let parent = effect.context.parent else { return false }
      effect = parent
    }
    return true
  }

  private var isMarkedAsCancelled: Bool { state.withLock { $0.isCancelled } }

  /// Prevents anything more from being reduced; ``cancel()`` notifies running code.
  func markAsCancelled() {
    state.withLock { $0.isCancelled = true }
  }

  func cancel() {
    state.withLock { state in
      state.isCancelled = true
      return state.task
    }?.cancel()
  }
}

extension RunningEffect {
  /// Starts the task of an operation.
  @discardableResult
  func start(_ run: EffectRun) -> Task<Void, Never> {
    let task = context.scope.run { makeTask(run.priority) }
    let isCancelled = state.withLock { state in
      if !state.hasEnded { state.task = task }
      return state.isCancelled
    }
    if isCancelled { task.cancel() }
    return task
  }

  private func makeTask(_ priority: TaskPriority?) -> Task<Void, Never> {
    guard let supervisor = registry.supervisor else {
      // Without a preference, which takes time.
      return Task(priority: priority) { await self.perform() }
    }
    return Task(executorPreference: supervisor.executor(of: supervised), priority: priority) {
      if self.isSupervised { supervisor.didStart(ObjectIdentifier(self)) }
      await self.perform()
    }
  }

  private func perform() async {
    // Lets what is cancelled before it begins run, cancelled, as every task does.
    if isCancelled { unsafe withUnsafeCurrentTask { unsafe $0?.cancel() } }
    await takeOperation()?(self)
    state.withLock { state in
      state.hasEnded = true
      state.task = nil
    }
    if let sequence = registry.remove(self) { await registry.goOn(sequence) }
  }

  /// The operation, which is freed when it returns.
  private func takeOperation() -> EffectRun.Operation? {
    state.withLock { $0.run.take() }?.operation
  }

  /// Whether the supervisor knows it: an operation, and not a part of one.
  var isSupervised: Bool { place != nil && context.supervised == nil }

  /// The task that the supervisor knows: this one, or the one that it is a part of.
  fileprivate var supervised: ObjectIdentifier { context.supervised ?? ObjectIdentifier(self) }

  /// Starts a part of the operation, which an identifier cancels.
  func startPart(
    _ id: EffectID, cancelInFlight: Bool, _ operation: @escaping EffectRun.Operation
  ) -> (RunningEffect, Task<Void, Never>) {
    if cancelInFlight { registry.cancel(id, sparing: self) }
    let run = EffectRun(at: place!, operation)
    let part = registry.add(context.part(of: self, id), run)
    return (part, part.start(run))
  }
}

extension RunningEffect {
  func send(_ action: any Sendable) async {
    if isCancelled { return }
    if state.withLock({ $0.hasEnded }) { reportLateAction(action) }
    _ = await registry.deliver(.action(context.maps.apply(action), from: self))
  }

  private func reportLateAction(_ action: any Sendable) {
    guard let place else { return }
    DependencyIssue(
      problem: """
        An effect sent the action \(action) after it ended. Nothing waits for that action.
        """,
      remedy: """
        make `.run { send in … }` wait for everything that sends actions: use `await`, or a task \
        group instead of `Task { … }`.
        """,
      fileID: place.fileID,
      line: place.line
    ).report()
  }
}
