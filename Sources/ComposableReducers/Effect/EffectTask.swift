internal import Synchronization

/// The task of one effect, from before it starts until its operation has returned.
// Unchecked, because all that changes is atomic, published by an atomic, or used by one thread at a
// time: the one that registers and starts the task, and then the task itself.
final class EffectTask: EffectSender, @unchecked Sendable {
  private struct Membership {
    let group: EffectGroup
    let position: Int
  }

  private enum Progress {
    static let cancelled: UInt8 = 1
    static let started: UInt8 = 2
  }

  let context: EffectContext
  /// The task that this one is a part of.
  private let whole: EffectTask?
  /// Increases, because effects are cancelled in the order of their creation.
  let number: Int
  private let ownPlace: SourceLocation?
  private let progress = Atomic<UInt8>(0)
  // Sound: set once, before `progress` says that the task is started.
  @safe @exclusivity(unchecked) nonisolated(unsafe) private var started: Task<Void, Never>?
  // Sound: changed only by `finish`, when nothing that reads it is still to come. It must go then: an
  // operation may lead to what keeps this task, in order to send with it.
  @safe @exclusivity(unchecked) nonisolated(unsafe) private var work: EffectWork
  // Sound: set before the start, and taken by `finish`.
  @safe @exclusivity(unchecked) nonisolated(unsafe) private var memberships: [Membership] = []
  // Sound: set once, before the start.
  @safe @exclusivity(unchecked) nonisolated(unsafe) private var flightPosition: Int?

  init(_ context: EffectContext, _ work: EffectWork) {
    self.context = context
    self.work = work
    whole = context.whole
    ownPlace = work.run?.place
    number = context.runner.nextNumber()
  }

  override var task: EffectTask { self }
  override var maps: [ActionMap] { context.maps }
  override var place: SourceLocation? { ownPlace }

  /// Whether nothing that it sends is reduced any more.
  override var isCancelled: Bool {
    if isMarked { return true }
    var whole = whole
    while let task = whole {
      if task.isMarked { return true }
      whole = task.whole
    }
    return false
  }

  private var isMarked: Bool { progress.load(ordering: .acquiring) & Progress.cancelled != 0 }

  /// Prevents anything more from being started or reduced; ``cancel()`` notifies running code.
  func markAsCancelled() {
    progress.bitwiseOr(Progress.cancelled, ordering: .releasing)
  }

  func cancel() {
    let (before, _) = progress.bitwiseOr(Progress.cancelled, ordering: .acquiringAndReleasing)
    if before & Progress.started != 0 { started?.cancel() }
  }
}

extension EffectTask {
  /// Registers the task, so that it can be cancelled before it starts.
  func register() {
    flightPosition = context.flight.add(self)
    join(context.groups)
  }

  /// Lets groups cancel the task, or an operation that isn't a task of the store.
  func join(_ groups: [EffectGroup]) {
    if groups.isEmpty { return }
    memberships = groups.map { Membership(group: $0, position: $0.add(self)) }
  }

  /// Starts the work, unless it is already cancelled.
  func start() {
    launch { makeTask(work) }
  }

  /// Starts an operation, unless it is already cancelled.
  func start(_ operation: @escaping @Sendable () async -> Void) -> Task<Void, Never>? {
    launch {
      let executor = self.context.runner.supervisor?.executor(of: ObjectIdentifier(self))
      return Task(executorPreference: executor) {
        if !self.isCancelled {
          self.context.runner.supervisor?.didStart(ObjectIdentifier(self))
          await operation()
        }
        self.finish()
      }
    }
  }

  @discardableResult
  private func launch(_ makeTask: () -> Task<Void, Never>) -> Task<Void, Never>? {
    if isCancelled {
      finish()
      return nil
    }
    let task = context.scope.run(makeTask)
    started = task
    let (before, _) = progress.bitwiseOr(Progress.started, ordering: .acquiringAndReleasing)
    // If it was cancelled meanwhile, `cancel()` found no task.
    if before & Progress.cancelled != 0 { task.cancel() }
    return task
  }

  private func makeTask(_ work: EffectWork) -> Task<Void, Never> {
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
    if let flightPosition { context.flight.remove(self, at: flightPosition) }
  }

  /// Called once, when the operation has returned or will never run.
  func finish() {
    work = .nothing
    let memberships = memberships
    self.memberships = []
    for member in memberships where member.group.remove(self, at: member.position) {
      context.runner.didEmpty(member.group)
    }
    if let flightPosition, context.flight.remove(self, at: flightPosition) {
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
