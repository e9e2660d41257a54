internal import Synchronization

/// The task of one effect, from before it starts until its operation has returned.
// Unchecked, because everything that changes is atomic, or is used first by the code that registers and
// starts the task, and then by the task.
final class EffectTask: EffectSender, @unchecked Sendable {
  private struct Membership {
    let group: EffectGroup
    let position: Int
  }

  /// The bits of ``progress``.
  private enum Progress {
    static let isCancelled: UInt8 = 1
    static let isStarted: UInt8 = 2
  }

  let context: EffectContext
  /// Increases, because effects are cancelled in the order of their creation.
  let number: Int
  private let ownPlace: SourceLocation?
  private let progress = Atomic<UInt8>(0)
  // Sound: set once, and read only after `progress` says so.
  @safe @exclusivity(unchecked) nonisolated(unsafe) private var started: Task<Void, Never>?
  // Sound: changed only by `finish`, when nothing reads it any more. `finish` must free it, because an
  // operation may retain this task, to send with it.
  @safe @exclusivity(unchecked) nonisolated(unsafe) private var work: EffectWork
  // Sound: set before the start, and taken by `finish`.
  @safe @exclusivity(unchecked) nonisolated(unsafe) private var memberships: [Membership] = []
  // Sound: set once, before the start.
  @safe @exclusivity(unchecked) nonisolated(unsafe) private var flightPosition: Int?

  init(_ context: EffectContext, _ work: EffectWork) {
    ownPlace = work.run?.place
    number = context.actionFlight.runner.nextNumber()
    self.context = context
    self.work = work
  }

  override var task: EffectTask { self }
  override var maps: [ActionMap] { context.maps }
  override var place: SourceLocation? { ownPlace }

  /// Whether nothing that it sends is reduced any more.
  override var isCancelled: Bool {
    if isMarked { return true }
    guard var whole = context.whole else { return false }
    while !whole.isMarked {
      guard let next = whole.context.whole else { return false }
      whole = next
    }
    return true
  }

  private var isMarked: Bool { progress.load(ordering: .acquiring) & Progress.isCancelled != 0 }

  /// Prevents anything more from being started or reduced; ``cancel()`` notifies running code.
  func markAsCancelled() {
    progress.bitwiseOr(Progress.isCancelled, ordering: .releasing)
  }

  func cancel() {
    let (before, _) = progress.bitwiseOr(Progress.isCancelled, ordering: .acquiringAndReleasing)
    if before & Progress.isStarted != 0 { started?.cancel() }
  }
}

extension EffectTask {
  /// Registers the task, so that it can be cancelled before it starts.
  func register() {
    flightPosition = context.add(self)
    join(context.groups)
  }

  /// Lets groups cancel the task, or an operation that isn't a task of the store.
  func join(_ groups: [EffectGroup]) {
    if groups.isEmpty { return }
    memberships = groups.map { Membership(group: $0, position: $0.add(self)) }
  }

  /// Starts the work, unless it is already cancelled.
  ///
  /// - Parameter current: The current scope.
  func start(from current: BorrowedScope) {
    launch { BorrowedScope(context.scope).run(from: current) { makeTask() } }
  }

  /// Starts an operation, unless it is already cancelled.
  func start(_ operation: @escaping @Sendable () async -> Void) -> Task<Void, Never>? {
    launch {
      context.scope.run {
        let executor = context.runner.supervisor?.executor(of: ObjectIdentifier(supervised))
        return Task(executorPreference: executor) {
          if !self.isCancelled { await operation() }
          self.finish()
        }
      }
    }
  }

  /// The innermost task that the supervisor knows, of this one and those that it is a part of.
  private var supervised: EffectTask {
    flightPosition == nil ? context.whole?.supervised ?? self : self
  }

  @discardableResult
  private func launch(_ makeTask: () -> Task<Void, Never>) -> Task<Void, Never>? {
    if isCancelled {
      finish()
      return nil
    }
    let task = makeTask()
    started = task
    let (before, _) = progress.bitwiseOr(Progress.isStarted, ordering: .acquiringAndReleasing)
    // If the task was cancelled meanwhile, `cancel()` found nothing to cancel.
    if before & Progress.isCancelled != 0 { task.cancel() }
    return task
  }

  private func makeTask() -> Task<Void, Never> {
    if context.runner.supervisor == nil, let run = work.run { return run.makeTask(for: self) }
    let executor = context.runner.supervisor?.executor(of: ObjectIdentifier(self))
    return Task(executorPreference: executor, priority: work.run?.priority) {
      if !self.isCancelled {
        self.context.runner.supervisor?.didStart(ObjectIdentifier(self))
        await self.context.runner.run(self.work, self)
      }
      self.finish()
    }
  }

  /// The operation, if that is all that the task does.
  var run: EffectRun? { work.run }

  func handle(_ error: any Error) async {
    await run?.handle(error, self)
  }

  /// Lets nobody wait for this task any more.
  func abandon() {
    if let flightPosition, context.remove(self, at: flightPosition) {
      context.runner.abandon(self)
    }
  }

  /// Called once, when the operation has returned or will never run.
  func finish() {
    work = .nothing
    let memberships = memberships
    self.memberships = []
    for member in memberships where member.group.remove(self, at: member.position) {
      context.runner.didEmpty(member.group)
    }
    if let flightPosition, context.remove(self, at: flightPosition) {
      context.runner.supervisor?.didFinish(ObjectIdentifier(self))
    }
  }
}

/// The work of an effect's task.
enum EffectWork: Sendable {
  case perform(EffectNode)
  case wait(EffectWait)
  /// What is given when it starts; or it never starts, and only stands for something.
  case nothing

  /// The operation, if that is all.
  var run: EffectRun? {
    if case .perform(let node) = self { node.run } else { nil }
  }
}

/// Waits for the end of an interval, and opens the next one with an effect.
final class EffectWait: Sendable {
  let interval: Throttling.Interval
  let id: EffectID
  let throttling: Throttling
  let node: EffectNode

  init(
    _ interval: Throttling.Interval, _ id: EffectID, _ throttling: Throttling, _ node: EffectNode
  ) {
    self.interval = interval
    self.id = id
    self.throttling = throttling
    self.node = node
  }
}
