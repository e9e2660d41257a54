/// The task of one effect according to the rules.
final class ModelTask {
  let ids: [Identifier]
  let flight: ModelFlight
  let store: ModelStore
  /// The path of the reducer that started it.
  let path: Path
  /// The sequence that it is a part of.
  let sequence: ModelSequence?
  /// The sequence that it stands for.
  var tokenOf: ModelSequence?
  /// The run whose closure is freed with the task.
  var lane: Int?
  var isCancelled = false
  /// The step in which it starts.
  var launchedIn: Int?
  /// The step in which the end of another task created or continued it, while other things happened.
  var wentOnIn: Int?
  /// The handlers to call when the task is cancelled.
  private var cancelHandlers: [Int: () -> Void] = [:]
  private var handlerCount = 0

  init(_ context: EffectContext) {
    ids = context.ids
    flight = context.flight
    path = context.path
    store = context.store
    sequence = context.sequence
  }

  /// Whether its progress is uncertain during a step.
  func isMoving(in step: Int) -> Bool {
    launchedIn == step || wentOnIn == step
  }

  func onCancel(_ handler: @escaping () -> Void) -> Int {
    handlerCount += 1
    cancelHandlers[handlerCount] = handler
    return handlerCount
  }

  func removeHandler(_ number: Int) {
    cancelHandlers[number] = nil
  }

  func runCancelHandlers() {
    for (number, handler) in cancelHandlers.sorted(by: { $0.key < $1.key }) {
      if cancelHandlers.removeValue(forKey: number) != nil { handler() }
    }
  }
}

/// The running effects of one action.
final class ModelFlight {
  private(set) var tasks: [ModelTask] = []
  var isCancelled = false
  private var waitingActions = 0
  private var waiters: [() -> Void] = []

  func add(_ task: ModelTask) {
    tasks.append(task)
  }

  func remove(_ task: ModelTask) {
    tasks.removeAll { $0 === task }
    wakeWaiters()
  }

  func addWaitingAction() {
    waitingActions += 1
  }

  func removeWaitingAction() {
    waitingActions -= 1
    wakeWaiters()
  }

  func whenFinished(_ waiter: @escaping () -> Void) {
    waiters.append(waiter)
    wakeWaiters()
  }

  private func wakeWaiters() {
    guard tasks.isEmpty, waitingActions == 0 else { return }
    let woken = waiters
    waiters = []
    for waiter in woken { waiter() }
  }
}
