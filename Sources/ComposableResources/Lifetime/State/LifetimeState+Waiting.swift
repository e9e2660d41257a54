extension LifetimeState {
  /// A task that waits for a resource to open.
  struct Waiter {
    let id: Int
    /// The resource whose `open` waits.
    let requester: Int?
    let continuation: CheckedContinuation<any Sendable, any Error>
  }

  enum Answer {
    case value(any Sendable)
    case wait(for: Int, id: Int)
    case start(Start, id: Int)
    case failed(any Error)
    case absent, ended, cancelled
  }

  /// - Parameter opens: Whether to open the resource if this lifetime doesn't have it.
  mutating func request(
    _ key: any ResourceKey.Type, for requester: Int?, opens: Bool, isCancelled: Bool = false
  ) -> Answer {
    let present = index(of: key)
    if let present {
      switch resources[present].phase {
      case .open(let value):
        addNeed(of: requester, for: present)
        return .value(value)
      case .opening: return .wait(for: present, id: nextNumber())
      case .closing, .closed: return .ended
      case .failed(let error):
        // This lifetime is failing. A listed key must not read the resource of an outer lifetime
        // instead.
        if resources[present].isListed { return .failed(error) }
      }
    }
    if !opens { return .absent }
    if phase == .closing || phase == .ended {
      // A resource that is still opening is cancelled, or will be.
      let isOpening = phase == .closing && requester.map { resources[$0].isOpening } ?? false
      return isOpening ? .cancelled : .ended
    }
    if isCancelled { return .cancelled }
    guard let present else { return .start(append(key, isListed: false), id: nextNumber()) }
    let replaced = resources[present]
    let attempt = nextNumber()
    resources[present] = Resource(key: key, isListed: false, attempt: attempt)
    return .start(
      Start(key: key, index: present, attempt: attempt, replaced: replaced), id: nextNumber())
  }

  /// Adds a task that waits for a resource, or returns the result that makes waiting unnecessary.
  mutating func wait(
    for index: Int, _ waiter: Waiter, isCancelled: Bool
  ) -> Result<any Sendable, any Error>? {
    guard resources.indices.contains(index) else { return .failure(CancellationError()) }
    switch resources[index].phase {
    case .open(let value):
      addNeed(of: waiter.requester, for: index)
      return .success(value)
    case .failed(let error): return .failure(error)
    case .closing, .closed: return .failure(CancellationError())
    case .opening: break
    }
    if isCancelled { return .failure(CancellationError()) }
    if let requester = waiter.requester {
      if let path = path(from: index, to: requester, by: \.awaits) {
        return .failure(ResourceError.cycle(([requester] + path).map { resources[$0].key }))
      }
      resources[requester].awaits.append(index)
    }
    resources[index].waiters.append(waiter)
    return nil
  }

  mutating func cancelWaiter(_ id: Int, for index: Int) -> Waiter? {
    guard
      resources.indices.contains(index),
      let position = resources[index].waiters.firstIndex(where: { $0.id == id })
    else { return nil }
    let waiter = resources[index].waiters.remove(at: position)
    removeWait(of: waiter.requester, for: index)
    return waiter
  }

  mutating func takeWaiters(for index: Int) -> [Waiter] {
    let waiters = resources[index].waiters
    resources[index].waiters = []
    for waiter in waiters { removeWait(of: waiter.requester, for: index) }
    return waiters
  }

  private mutating func removeWait(of requester: Int?, for index: Int) {
    guard let requester else { return }
    if let edge = resources[requester].awaits.firstIndex(of: index) {
      resources[requester].awaits.remove(at: edge)
    }
  }

  mutating func addNeed(of requester: Int?, for index: Int) {
    guard
      let requester,
      !resources[requester].needs.contains(index),
      // While it runs, a resource may ask for one that was opened from it.
      path(from: index, to: requester, by: \.needs) == nil
    else { return }
    resources[requester].needs.append(index)
  }
}
