extension LifetimeState {
  /// Lists a key, and returns whether it wasn't listed before.
  mutating func list(_ key: any ResourceKey.Type) -> Bool {
    if index(of: key) != nil { return false }
    _ = append(key, isListed: true)
    return true
  }

  mutating func append(_ key: any ResourceKey.Type, isListed: Bool) -> Start {
    let attempt = nextNumber()
    resources.append(Resource(key: key, isListed: isListed, attempt: attempt))
    return Start(key: key, index: resources.count - 1, attempt: attempt)
  }

  /// A resource whose task must be started.
  struct Start {
    let key: any ResourceKey.Type
    let index: Int
    let attempt: Int
    /// The resource that this attempt replaces.
    ///
    /// Release it outside the lock, because that may run user code.
    var replaced: Resource?
  }

  var listed: [Start] {
    resources.indices.map {
      Start(key: resources[$0].key, index: $0, attempt: resources[$0].attempt)
    }
  }

  /// Whether every listed resource is open, or failed to open.
  var isListedOpen: Bool {
    failure != nil || resources.allSatisfy { !$0.isListed || !$0.isOpening }
  }

  /// Begins the operation, or closing, and then returns the reason.
  mutating func endOpening(isCancelled: Bool) -> (any Error)? {
    if isCancelled { fail(CancellationError()) }
    phase = failure == nil ? .operating : .closing
    return failure
  }

  /// Returns whether to cancel the task immediately.
  mutating func didStart(_ start: Start, _ task: Task<Void, Never>) -> Bool {
    // The task, and even the lifetime, may have ended before its creator gets here.
    guard
      resources.indices.contains(start.index),
      resources[start.index].attempt == start.attempt
    else { return false }
    resources[start.index].task = task
    // While what was opened from it is open, it runs on, and is cancelled in its turn.
    if case .open = resources[start.index].phase { return false }
    return phase == .closing
  }

  /// Returns the tasks that wait for the resource, and whether to run it.
  mutating func didOpen(_ index: Int, _ value: any Sendable) -> (waiters: [Waiter], runs: Bool) {
    resources[index].phase = .open(value)
    opened.append(index)
    let waiters = takeWaiters(for: index)
    for waiter in waiters { addNeed(of: waiter.requester, for: index) }
    return (waiters, phase != .closing)
  }

  mutating func didFail(_ index: Int, _ error: any Error) -> [Waiter] {
    resources[index].phase = .failed(error)
    resources[index].isLive = false
    if resources[index].isListed { fail(error) }
    return takeWaiters(for: index)
  }

  /// Returns the operation if it must be cancelled.
  mutating func didRun(_ index: Int, _ error: (any Error)?) -> OperationTask? {
    resources[index].isLive = false
    guard let error else { return nil }
    fail(error)
    return cancelOperation()
  }
}
