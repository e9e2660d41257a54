/// The task of one effect, as the rules have it.
final class ModelTask {
  let ids: [Identifier]
  let flight: ModelFlight
  /// The runs whose closures go with the task.
  let ownLanes: [Int]
  /// The only thing that the task does, if that is a run that ends when it is cancelled; and what
  /// it does when that is at once.
  var onlyRun: (lane: Int, events: [Event])?
  var isCancelled = false
  /// The step in which it starts, or last went on by itself, while other things happen.
  var launchedIn: Int?
  var wentOnIn: Int?
  /// What is cancelled with the task.
  private var cancelHandlers: [Int: () -> Void] = [:]
  private var handlerCount = 0

  init(ids: [Identifier], flight: ModelFlight, ownLanes: [Int]) {
    self.ids = ids
    self.flight = flight
    self.ownLanes = ownLanes
  }

  /// Whether it is not certain how far the task has got, as long as the step lasts.
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

/// What one action has caused that is still under way.
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
