internal import Synchronization

/// A running part of an effect, or a group of such parts.
///
/// Unchecked. Sound: the registry uses the variables under its lock, apart from three. Once an
/// operation has started, only its task uses `run`. While there is a store, only the store uses `rest`,
/// in its isolation. Only `deinit` changes `context`.
package final class RunningEffect: @unchecked Sendable {
  enum Kind: Sendable {
    case operation(at: SourcePlace)
    /// Parts that run one after the other.
    case sequence
    /// An action that waits to be reduced.
    case waitingAction
    /// Operations of other actions that its action has canceled, and that haven't ended.
    case cancellation(of: [RunningEffect])
    case group(EffectGroup)
  }

  let number: Int
  let kind: Kind
  private(set) var context: EffectContext
  let registry: EffectRegistry
  private var run: EffectRun?
  private let isMarked = Atomic(false)
  private let hasEnded = Atomic(false)

  /// The parts of a sequence that haven't begun, the next one last.
  var rest: [EffectNode] = []

  /// The task of an operation, while it runs.
  var task: Task<Void, Never>?
  var members = EffectMembers()
  /// Where it is among the parent's members.
  var index: Int?
  typealias Waiter = @Sendable () -> Void

  /// Called when it leaves the tree.
  var waiters: [Waiter] = []

  init(
    _ kind: Kind, _ context: EffectContext, _ run: EffectRun? = nil, in registry: EffectRegistry
  ) {
    number = registry.nextNumber()
    self.kind = kind
    self.context = context
    self.registry = registry
    self.run = run
  }

  deinit {
    // One by one: a recursion would overflow the stack.
    var parent = context.takeParent()
    while isKnownUniquelyReferenced(&parent), let outer = parent?.context.takeParent() {
      parent = outer
    }
  }

  var isGroup: Bool {
    if case .group = kind { true } else { false }
  }

  /// Whether it is the group of an identifier.
  func has(_ id: EffectID) -> Bool {
    if case .group(.id(id)) = kind { true } else { false }
  }

  /// Whether only its members keep it in the tree.
  var needsMembers: Bool { isGroup || hasEnded.load(ordering: .acquiring) }

  /// Whether nothing of it runs.
  var isEmpty: Bool { needsMembers && members.isEmpty }

  var isOperation: Bool {
    if case .operation = kind { true } else { false }
  }

  /// Whether it was canceled, itself or with something around it: the store ignores what it sends.
  ///
  /// A cancellation marks everything in the tree. What has left it by then isn't marked, but is still a
  /// part of the group, sequence or operation that is.
  var isCancelled: Bool {
    // In a loop: a recursion would overflow the stack.
    var next: RunningEffect? = self
    while let effect = next {
      if effect.isMarked.load(ordering: .acquiring) { return true }
      guard effect.needsMembers else { return false }
      next = effect.context.parent
    }
    return registry.hasEnded
  }

  /// The operation that it is a part of; otherwise itself.
  var whole: RunningEffect { context.operation ?? self }

  /// Whether it has ended, or the operation that it is a part of.
  private var isLate: Bool {
    hasEnded.load(ordering: .acquiring) || whole.hasEnded.load(ordering: .acquiring)
  }

  /// Prevents anything more from being reduced.
  func markAsCancelled() {
    isMarked.store(true, ordering: .releasing)
  }

  /// Called when it ends; its members may keep it in the tree.
  func end() {
    hasEnded.store(true, ordering: .releasing)
    task = nil
  }

  /// Keeps the task, unless it has ended already.
  func keep(_ task: Task<Void, Never>) {
    if !hasEnded.load(ordering: .relaxed) { self.task = task }
  }

  func cancel() {
    registry.cancel(self)
  }
}

/// A store's effects that are canceled or awaited together.
enum EffectGroup: Sendable {
  /// The effects of an action that the program sent, and of the actions that they send.
  case action
  /// The effects with an identifier.
  case id(EffectID)
  /// The effects of a child that may disappear, and of those below it.
  case child
}

extension RunningEffect {
  /// Starts the task of an operation.
  @discardableResult
  func start() -> Task<Void, Never> {
    let priority = run?.priority
    let task = context.scope.run { makeTask(priority) }
    registry.didStart(self, task)
    if isCancelled { task.cancel() }
    return task
  }

  private func makeTask(_ priority: TaskPriority?) -> Task<Void, Never> {
    if let executor = registry.testExecutor, let cause = context.cause,
      case .operation(let place) = kind
    {
      executor.announceTask("an \(EffectOrigin(action: cause, place: place))")
    }
    guard let supervisor = registry.supervisor else {
      // A task without an executor preference starts faster.
      return Task(priority: priority) { await self.perform() }
    }
    let supervised = ObjectIdentifier(whole)
    return Task(executorPreference: supervisor.executor(of: supervised), priority: priority) {
      if self.isSupervised { supervisor.didStart(supervised) }
      await self.perform()
    }
  }

  private func perform() async {
    // An effect that is cancelled before its task begins still runs, as every task does. Its code
    // finds itself cancelled. Sound: the task is used only inside the closure, which runs in it.
    if isCancelled { unsafe withUnsafeCurrentTask { unsafe $0?.cancel() } }
    // Taken out, so that the operation is freed when it returns.
    await run.take()?.operation(self)
    if let sequence = registry.remove(self) { await registry.continueSequence(sequence) }
  }

  /// Whether the supervisor knows it: it is an operation, but not a part of one.
  var isSupervised: Bool { isOperation && context.operation == nil }

  /// Starts a part of the operation, which an identifier cancels.
  func startPart(
    _ id: EffectID, cancelInFlight: Bool, _ operation: @escaping EffectRun.Operation
  ) -> (RunningEffect, Task<Void, Never>) {
    guard case .operation(let place) = kind else { preconditionFailure("Only operations send.") }
    var context = context
    context.enterPart(of: self)
    context.enter(registry.makeGroup(.id(id), context))
    let run = EffectRun(place: place, operation: operation)
    let part = registry.add(kind, context, run, cancelling: cancelInFlight ? id : nil)
    return (part, part.start())
  }
}

extension RunningEffect {
  func send(_ action: any Sendable) async {
    if isCancelled { return }
    if isLate { reportLateAction(action) }
    _ = await registry.deliver(.action(context.transform(action), from: self))
  }

  private func reportLateAction(_ action: any Sendable) {
    guard case .operation(let place) = kind else { return }
    DependencyIssue(
      problem: """
        An effect sent the action \(action) after it ended, so `finish()` may return before it.
        """,
      remedy: """
        make `.run { send in … }` wait for everything that sends actions: use `await`, or a task \
        group instead of `Task { … }`.
        """,
      at: place
    ).report()
  }
}
