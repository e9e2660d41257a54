/// The task of one effect according to the rules.
final class ModelTask {
  let ids: [Identifier]
  let flight: ModelFlight
  /// The path of the reducer that started it.
  let path: Path
  /// The task that it is a part of.
  let whole: ModelTask?
  /// The runs whose closures are freed with the task.
  let ownLanes: [Int]
  /// The task's only work, if it is a run that ends when it is cancelled, and the events of its
  /// immediate cancellation.
  var onlyRun: (lane: Int, events: [Event])?
  var isCancelled = false
  /// The step in which it starts, or last continued by itself, while other things happen.
  var launchedIn: Int?
  var wentOnIn: Int?
  /// The handlers to call when the task is cancelled.
  private var cancelHandlers: [Int: () -> Void] = [:]
  private var handlerCount = 0

  init(_ context: EffectContext, ownLanes: [Int]) {
    ids = context.ids
    flight = context.flight
    path = context.path
    whole = context.whole
    self.ownLanes = ownLanes
  }

  /// Whether it, or the whole effect, is cancelled.
  var isToBeIgnored: Bool { isCancelled || whole?.isToBeIgnored == true }

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
