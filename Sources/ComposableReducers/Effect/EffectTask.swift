internal import Synchronization

/// The task of one effect, from before it starts until its operation has returned.
// Unchecked, because it is immutable except for what is locked.
final class EffectTask: EffectSender, @unchecked Sendable {
  private struct Contents {
    var task: Task<Void, Never>?
    var isFinished = false
    /// The positions of this task in the lists that can cancel it.
    var positions: Positions?
  }

  private struct Positions {
    var running: Int?
    var flight: Int?
    var groups: [GroupPosition] = []
  }

  private struct GroupPosition {
    let group: EffectGroup
    let position: Int
  }

  let context: EffectContext
  let runner: EffectRunner
  /// Increases, because effects are cancelled in the order of their creation.
  let number: Int
  private let ownPlace: SourceLocation?
  // Sound: changed only by `finish`, when nothing that reads it is still to come. It must go then: an
  // operation may lead to what keeps this task, in order to send with it.
  @safe @exclusivity(unchecked) nonisolated(unsafe) private var work: EffectWork
  private let contents = Mutex(Contents())
  private let isMarked = Atomic(false)

  init(_ context: EffectContext, _ runner: EffectRunner, _ work: EffectWork) {
    self.context = context
    self.runner = runner
    self.work = work
    ownPlace = work.run?.place
    number = runner.nextNumber()
  }

  override var task: EffectTask { self }
  override var maps: [ActionMap] { context.maps }
  override var place: SourceLocation? { ownPlace }

  /// Whether nothing that it sends is reduced any more.
  override var isCancelled: Bool {
    var task = self
    while true {
      if task.isMarked.load(ordering: .acquiring) { return true }
      guard let whole = task.context.whole else { return false }
      task = whole
    }
  }

  /// Prevents anything more from being started or reduced; ``cancel()`` notifies running code.
  func markAsCancelled() {
    isMarked.store(true, ordering: .releasing)
  }

  func cancel() {
    markAsCancelled()
    contents.withLock { $0.task }?.cancel()
  }
}

extension EffectTask {
  /// Registers the task, so that it can be cancelled before it starts.
  func register() {
    var positions = Positions(running: runner.running.add(self), flight: context.flight.add(self))
    join(context.groups, &positions)
    contents.withLock { $0.positions = positions }
  }

  /// Lets groups cancel an operation that isn't a task of the store.
  func join(_ groups: [EffectGroup]) {
    var positions = Positions()
    join(groups, &positions)
    contents.withLock { $0.positions = positions }
  }

  private func join(_ groups: [EffectGroup], _ positions: inout Positions) {
    if groups.isEmpty { return }
    positions.groups = groups.map { GroupPosition(group: $0, position: $0.add(self)) }
  }

  /// Starts the work, unless it is already cancelled.
  func start() {
    launch { makeTask(work) }
  }

  /// Starts an operation, unless it is already cancelled.
  func start(_ operation: @escaping @Sendable () async -> Void) -> Task<Void, Never>? {
    launch {
      let executor = self.runner.supervisor?.executor(of: ObjectIdentifier(self))
      return Task(executorPreference: executor) {
        if !self.isCancelled {
          self.runner.supervisor?.didStart(ObjectIdentifier(self))
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
    contents.withLock { if !$0.isFinished { $0.task = task } }
    // If it was cancelled meanwhile, `cancel()` found no task.
    if isMarked.load(ordering: .acquiring) { task.cancel() }
    return task
  }

  private func makeTask(_ work: EffectWork) -> Task<Void, Never> {
    let executor = runner.supervisor?.executor(of: ObjectIdentifier(self))
    if executor == nil, let run = work.run {
      // The most common work, without functions in between whose frames would be kept.
      return Task(priority: run.priority) {
        if let run = self.runUnlessCancelled {
          do {
            try await run.perform(self)
          } catch {
            await run.handle(error, self)
          }
          self.end()
        }
        self.finish()
      }
    }
    return Task(executorPreference: executor, priority: work.run?.priority) {
      if !self.isCancelled {
        self.runner.supervisor?.didStart(ObjectIdentifier(self))
        await self.runner.run(self.work, self)
      }
      self.finish()
    }
  }

  private var runUnlessCancelled: EffectRun? { isCancelled ? nil : work.run }

  /// Lets nobody wait for this task any more.
  func abandon() {
    let position = contents.withLock { $0.positions?.flight.take() }
    if let position { context.flight.remove(at: position) }
  }

  /// Called once, when the operation has returned or will never run.
  func finish() {
    let (positions, task) = contents.withLock { contents in
      contents.isFinished = true
      // Freed outside the lock.
      return (contents.positions.take(), contents.task.take())
    }
    work = .nothing
    if let positions { leave(positions) }
    _ = task
  }

  private func leave(_ positions: Positions) {
    if let position = positions.running { _ = runner.running.remove(at: position) }
    for member in positions.groups where member.group.remove(at: member.position) {
      runner.didEmpty(member.group)
    }
    if let position = positions.flight {
      context.flight.remove(at: position)
      runner.supervisor?.didFinish(ObjectIdentifier(self))
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
