/// The state of a lifetime.
///
/// It makes decisions but calls nothing, so it can be used under a lock.
struct LifetimeState {
  enum Phase { case opening, operating, closing, ended }

  /// The task that opens, operates or closes, while it waits for a change.
  final class Observer: Sendable {
    let isSatisfied: @Sendable (borrowing LifetimeState) -> Bool
    let continuation: CheckedContinuation<Void, Never>

    init(
      isSatisfied: @escaping @Sendable (borrowing LifetimeState) -> Bool,
      continuation: CheckedContinuation<Void, Never>
    ) {
      self.isSatisfied = isSatisfied
      self.continuation = continuation
    }
  }

  /// A class, because each access to a structure of this size copies it.
  // Unchecked. Sound: it is used only under the lock, until nothing else refers to it.
  final class Resource: @unchecked Sendable {
    enum Phase {
      case opening
      case open(any Sendable)
      case failed(any Error)
      case closing, closed
    }

    let key: any ResourceKey.Type
    /// Whether `withResources` lists it, so that the lifetime fails if it doesn't open.
    let isListed: Bool
    /// Distinguishes this attempt from later ones for the same key.
    let attempt: Int
    fileprivate(set) var phase = Phase.opening
    /// Whether its task hasn't ended: it is opening or running.
    fileprivate(set) var isLive = true
    fileprivate(set) var task: Task<Void, Never>?
    fileprivate(set) var waiters: [Waiter] = []
    /// The resources that its `open` is waiting for, once per wait.
    fileprivate(set) var awaits: [Int] = []
    /// The resources that it was opened from, or has asked for since.
    fileprivate(set) var needs: [Int] = []
    /// The resources that need this one.
    fileprivate var neededBy: [Int] = []
    /// The number of those that haven't closed.
    fileprivate var dependents = 0
    /// Its place in the order of opening.
    fileprivate var place = 0

    init(key: any ResourceKey.Type, isListed: Bool, attempt: Int) {
      self.key = key
      self.isListed = isListed
      self.attempt = attempt
    }

    var isOpening: Bool {
      if case .opening = phase { true } else { false }
    }

    /// Whether closing still waits for it: it hasn't failed, and hasn't closed.
    fileprivate var isUnclosed: Bool {
      switch phase {
      case .failed, .closed: false
      case .opening, .open, .closing: true
      }
    }
  }

  var phase = Phase.opening
  private(set) var resources: [Resource] = []
  private var indices: [ObjectIdentifier: Int] = [:]
  /// The number of resources that are opening.
  private var openingCount = 0
  private var listedOpeningCount = 0
  /// The resources that opened, in the order in which they finished opening.
  private var opened: [Int] = []
  private var closedCount = 0
  /// While closing: the places of the resources that nothing needs any longer, in their order.
  private var closable: [Int]?
  /// The first error of an `open` or a `run`, or the caller's cancellation.
  private(set) var failure: (any Error)?
  var observer: Observer?
  private var operation: OperationTask?
  private var isOperationCancelled = false
  /// Whether another task is about to cancel the operation, which must not end before.
  var isCancellingOperation = false
  private var lastNumber = 0

  mutating func takeSatisfiedObserver() -> Observer? {
    guard let observer, observer.isSatisfied(self) else { return nil }
    self.observer = nil
    return observer
  }

  /// Records an error.
  ///
  /// Only the first counts, and only until the operation has ended.
  mutating func fail(_ error: any Error) {
    if failure == nil, phase == .opening || phase == .operating { failure = error }
  }

  /// Returns an unused number.
  private mutating func nextNumber() -> Int {
    lastNumber += 1
    return lastNumber
  }
}

// MARK: - Opening

extension LifetimeState {
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

  /// Lists a key, and returns whether it wasn't listed before.
  mutating func list(_ key: any ResourceKey.Type) -> Bool {
    if indices[ObjectIdentifier(key)] != nil { return false }
    _ = begin(key, isListed: true)
    return true
  }

  /// Begins to open a resource, which may have failed to open before.
  mutating func begin(_ key: any ResourceKey.Type, isListed: Bool) -> Start {
    let resource = Resource(key: key, isListed: isListed, attempt: nextNumber())
    openingCount += 1
    if isListed { listedOpeningCount += 1 }
    if let index = indices[ObjectIdentifier(key)] {
      let replaced = resources[index]
      // Code of the failed attempt may still be waiting. Those waits now count as this resource's.
      resource.awaits = replaced.awaits
      resources[index] = resource
      return Start(key: key, index: index, attempt: resource.attempt, replaced: replaced)
    }
    indices[ObjectIdentifier(key)] = resources.count
    resources.append(resource)
    return Start(key: key, index: resources.count - 1, attempt: resource.attempt)
  }

  var listed: [Start] {
    resources.indices.map {
      Start(key: resources[$0].key, index: $0, attempt: resources[$0].attempt)
    }
  }

  /// Whether every listed resource is open, or one failed to open.
  var isListedOpen: Bool { failure != nil || listedOpeningCount == 0 }

  var isAnyOpening: Bool { openingCount > 0 }

  private mutating func endOpening(of resource: Resource, _ phase: Resource.Phase) {
    resource.phase = phase
    openingCount -= 1
    if resource.isListed { listedOpeningCount -= 1 }
  }

  /// Begins the operation, or closing, and then returns the reason.
  mutating func beginOperating(isCancelled: Bool) -> (any Error)? {
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
    // Closing cancels the `run` of an open resource later, when nothing needs the resource.
    if case .open = resources[start.index].phase { return false }
    return phase == .closing
  }

  /// Returns the tasks that wait for the resource, and whether to run it.
  mutating func didOpen(_ index: Int, _ value: any Sendable) -> (waiters: [Waiter], runs: Bool) {
    endOpening(of: resources[index], .open(value))
    resources[index].place = opened.count
    opened.append(index)
    let waiters = takeWaiters(for: index)
    for waiter in waiters { addNeed(of: waiter.requester, for: index) }
    return (waiters, phase != .closing)
  }

  mutating func didFail(_ index: Int, _ error: any Error) -> [Waiter] {
    endOpening(of: resources[index], .failed(error))
    resources[index].isLive = false
    if resources[index].isListed { fail(error) }
    for need in resources[index].needs {
      resources[need].neededBy.removeAll { $0 == index }
      resources[need].dependents -= 1
    }
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

// MARK: - Asking and waiting

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
    if let present = indices[ObjectIdentifier(key)] {
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
    return .start(begin(key, isListed: false), id: nextNumber())
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
      if let path = path(
        from: index, to: requester, by: \.awaits, backward: { $0.waiters.compactMap(\.requester) })
      {
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

  private mutating func takeWaiters(for index: Int) -> [Waiter] {
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

  private mutating func addNeed(of requester: Int?, for index: Int) {
    guard
      let requester,
      // Code that outlives its resource may still ask, but nothing would end that need.
      resources[requester].isUnclosed,
      !resources[requester].needs.contains(index),
      // A resource that runs may ask for one that was opened from it: that need would be a cycle.
      path(from: index, to: requester, by: \.needs, backward: \.neededBy) == nil
    else { return }
    resources[requester].needs.append(index)
    resources[index].neededBy.append(requester)
    resources[index].dependents += 1
  }

  /// Returns the resources from one to another, both included.
  ///
  /// Searches from both ends in turn, and stops when one search has nowhere to go. So a chain costs the
  /// same at each step, whichever end it grows at.
  private func path(
    from start: Int, to end: Int,
    by edges: (Resource) -> [Int], backward: (Resource) -> [Int]
  ) -> [Int]? {
    if start == end { return [start] }
    if edges(resources[start]).isEmpty || backward(resources[end]).isEmpty { return nil }
    var fromStart = Search(from: start)
    var fromEnd = Search(from: end)
    while true {
      guard let next = fromStart.pending.popLast() else { return nil }
      if let meeting = fromStart.visit(edges(resources[next]), from: next, toMeet: fromEnd) {
        return fromStart.path(to: meeting).reversed() + fromEnd.path(to: meeting).dropFirst()
      }
      guard let next = fromEnd.pending.popLast() else { return nil }
      if let meeting = fromEnd.visit(backward(resources[next]), from: next, toMeet: fromStart) {
        return fromStart.path(to: meeting).reversed() + fromEnd.path(to: meeting).dropFirst()
      }
    }
  }

  /// A search from one end of a path.
  private struct Search {
    /// The resources that were reached, each with the one before it.
    private var previous: [Int: Int]
    var pending: [Int]

    init(from start: Int) {
      previous = [start: start]
      pending = [start]
    }

    /// Reaches the neighbors of a resource, and returns the first that the other search has reached.
    mutating func visit(_ neighbors: [Int], from resource: Int, toMeet other: Search) -> Int? {
      for next in neighbors where previous[next] == nil {
        previous[next] = resource
        pending.append(next)
        if other.previous[next] != nil { return next }
      }
      return nil
    }

    /// The resources from one that was reached back to the start.
    func path(to resource: Int) -> [Int] {
      var path = [resource]
      while let next = previous[path.last!], next != path.last! { path.append(next) }
      return path
    }
  }
}

// MARK: - Operating

extension LifetimeState {
  /// Returns the operation if it must be cancelled immediately.
  mutating func beginOperation(_ task: OperationTask) -> OperationTask? {
    operation = task
    return isOperationCancelled ? task : nil
  }

  /// Returns the operation if it must be cancelled: once, and only before it has ended.
  ///
  /// Then `isCancellingOperation` is true, and stays true until the caller has cancelled it.
  mutating func cancelOperation() -> OperationTask? {
    guard phase == .operating, !isOperationCancelled else { return nil }
    isOperationCancelled = true
    isCancellingOperation = operation != nil
    return operation
  }

  /// Ends the operation, which nothing cancels from now on.
  mutating func endOperation() {
    phase = .closing
    operation = nil
  }
}

// MARK: - Closing

extension LifetimeState {
  /// A resource to close.
  ///
  /// It retains the value, whose deinitializer may run user code.
  struct ToClose {
    let index: Int
    let key: any ResourceKey.Type
    let value: any Sendable
    let task: Task<Void, Never>?
    let isLive: Bool
  }

  /// Returns the tasks of resources that are still opening.
  mutating func beginClosing() -> [Task<Void, Never>] {
    phase = .closing
    return resources.filter(\.isOpening).compactMap(\.task)
  }

  var isAnythingLeft: Bool { openingCount > 0 || closedCount < opened.count }

  /// Returns the last opened resource that no open resource needs.
  ///
  /// Call it when nothing is opening anymore.
  mutating func nextToClose() -> ToClose? {
    closable = closable ?? opened.indices.filter { resources[opened[$0]].dependents == 0 }
    while let place = closable!.popLast() {
      let resource = resources[opened[place]]
      // A resource that still runs may have asked for this one, which then closes after it.
      guard resource.dependents == 0, case .open(let value) = resource.phase else { continue }
      resource.phase = .closing
      return ToClose(
        index: opened[place], key: resource.key, value: value,
        task: resource.isLive ? resource.task : nil, isLive: resource.isLive)
    }
    return nil
  }

  mutating func didClose(_ index: Int) {
    resources[index].phase = .closed
    closedCount += 1
    for need in resources[index].needs {
      let needed = resources[need]
      needed.dependents -= 1
      if needed.dependents == 0 {
        let position = closable!.lastIndex { $0 < needed.place }.map { $0 + 1 } ?? 0
        closable!.insert(needed.place, at: position)
      }
    }
  }

  /// What closing waits for: a key, and its function that hasn't returned.
  var closingStep: (key: any ResourceKey.Type, function: String)? {
    for resource in resources {
      switch resource.phase {
      case .opening: return (resource.key, "open")
      case .closing: return (resource.key, resource.isLive ? "run" : "close")
      default: break
      }
    }
    return nil
  }

  /// Returns the resources to release outside the lock.
  mutating func end() -> [Resource] {
    phase = .ended
    indices = [:]
    defer { resources = [] }
    return resources
  }
}
