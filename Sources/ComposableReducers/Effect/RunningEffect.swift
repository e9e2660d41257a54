internal import Synchronization

/// What surrounds a part of an effect.
struct EffectContext: Sendable {
  /// The number of the action that the program sent, to which those that the effect sends belong.
  let action: Int
  /// The action whose reducer returned the effect, if there is a supervisor.
  let cause: (any Sendable)?
  var scope: DependencyScope
  /// The innermost last.
  var maps: [ActionMap] = []
  /// The pullbacks from the root to the reducer, if the effect ends with a child.
  var links: [ChildLink] = []
  var children: [(id: ChildID, condition: any Sendable)] = []
  var groups: [EffectGroup]
  /// The number of the sequence or operation that the effect is a part of.
  var parent: Int?
  /// The parent, if that is a sequence.
  var sequence: Int?
  /// For a part of an operation, where that comes from.
  var place: SourceLocation?
  /// For a part of an operation, the task that the supervisor knows.
  var supervised: ObjectIdentifier?

  init(action: Int, cause: (any Sendable)?, scope: DependencyScope) {
    self.action = action
    self.cause = cause
    self.scope = scope
    groups = [.action(action)]
  }

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
  mutating func joinPart(of number: Int) {
    groups.removeAll { if case .part = $0 { true } else { false } }
    groups.append(.part(of: number))
    parent = number
    sequence = number
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
    place = run?.place ?? context.place
    state = Mutex(State(run: run))
  }

  /// Whether nothing that it sends is reduced any more.
  var isCancelled: Bool { registry.isCancelled(self) }

  var isMarkedAsCancelled: Bool { state.withLock { $0.isCancelled } }

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
  func start() {
    start(priority: state.withLock { $0.run?.priority }) {
      self.registry.supervisor?.didStart(ObjectIdentifier(self))
      await self.takeOperation()?(self)
      await self.end()
    }
  }

  /// The operation, which is freed when it returns.
  private func takeOperation() -> (@Sendable (RunningEffect) async -> Void)? {
    state.withLock { $0.run.take() }?.operation
  }

  @discardableResult
  func start(
    priority: TaskPriority? = nil, _ operation: @escaping @Sendable () async -> Void
  ) -> Task<Void, Never> {
    let task = context.scope.run { makeTask(priority, operation) }
    let isCancelled = state.withLock { state in
      if !state.hasEnded { state.task = task }
      return state.isCancelled
    }
    if isCancelled { task.cancel() }
    return task
  }

  private func makeTask(
    _ priority: TaskPriority?, _ operation: @escaping @Sendable () async -> Void
  ) -> Task<Void, Never> {
    guard let supervisor = registry.supervisor else {
      // Without a preference, which takes time.
      return Task(priority: priority) {
        self.begin()
        await operation()
      }
    }
    return Task(executorPreference: supervisor.executor(of: supervised), priority: priority) {
      self.begin()
      await operation()
    }
  }

  /// Lets what is cancelled before it begins run, cancelled, as every task does.
  private func begin() {
    if isCancelled { unsafe withUnsafeCurrentTask { unsafe $0?.cancel() } }
  }

  /// Called when the operation has returned.
  func end() async {
    state.withLock { state in
      state.hasEnded = true
      state.task = nil
    }
    await registry.end(self)
  }

  /// Whether the supervisor knows it: an operation, and not a part of one.
  var isSupervised: Bool { place != nil && context.supervised == nil }

  /// The task that the supervisor knows: this one, or the one that it is a part of.
  private var supervised: ObjectIdentifier { context.supervised ?? ObjectIdentifier(self) }

  /// Makes a part of the operation, which an identifier cancels.
  func makePart(_ id: EffectID, cancelInFlight: Bool) -> RunningEffect {
    if cancelInFlight { registry.cancel(.id(id), sparing: number) }
    var part = context
    part.scope = .current
    part.children = []
    // The operation waits for its parts, so it alone is in the other groups.
    part.groups = [.id(id)]
    part.parent = number
    part.sequence = nil
    part.place = place
    part.supervised = supervised
    return registry.add(part)
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
