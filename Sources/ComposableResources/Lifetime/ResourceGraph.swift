internal import ComposableDependencies
internal import Synchronization

/// The resources of all lifetimes.
///
/// They form one graph: from a resource to those that it was opened from, in its own lifetime or in
/// another. The graph makes decisions but calls nothing, so it can be used under a lock.
struct ResourceGraph {
  private static let shared = Mutex(ResourceGraph())

  /// The lifetimes around which there is no other, and that list resources.
  private var outermost: [Lifetime] = []
  /// The tasks to resume after the lock.
  private var satisfied: [CheckedContinuation<Void, Never>] = []

  /// Changes the graph, and then resumes the tasks that wait for the change.
  static func update<R, E: Error>(
    _ change: (inout ResourceGraph) throws(E) -> R
  ) throws(E) -> R {
    var satisfied: [CheckedContinuation<Void, Never>] = []
    defer { for continuation in satisfied { continuation.resume() } }
    return try shared.withLock { graph throws(E) in
      defer { if !graph.satisfied.isEmpty { swap(&graph.satisfied, &satisfied) } }
      return try change(&graph)
    }
  }

  /// Resumes the task of a lifetime that waits, if its condition is satisfied now.
  mutating func didChange(_ lifetime: Lifetime) {
    guard let observer = self[lifetime].observer, observer.isSatisfied(self[lifetime]) else {
      return
    }
    self[lifetime].observer = nil
    satisfied.append(observer.continuation)
  }

  /// What changes of a lifetime.
  subscript(lifetime: Lifetime) -> Lifetime.State {
    _read { yield lifetime.state.value }
    nonmutating _modify { yield &lifetime.state.value }
  }
}

/// What changes of something in the graph.
///
/// Only the graph reaches it, so it's used under the lock.
struct StateOfGraph<Value> {
  fileprivate var value: Value

  init(_ value: Value) { self.value = value }
}

/// A resource of a lifetime, from the beginning of its opening.
///
/// An opening that failed is another resource than the next attempt.
// Unchecked. Sound: what changes is used only under the lock of the graph.
final class Resource: @unchecked Sendable {
  enum Phase {
    case opening
    /// With the override that has its value, and what its code reads.
    case open(Override, DependencyScope)
    case failed(any Error)
    case closing, closed
  }

  let key: any ResourceKey.Type
  let lifetime: Lifetime
  /// Whether `withResources` lists it, so that the lifetime fails if it doesn't open.
  let isListed: Bool
  fileprivate var phase = Phase.opening
  /// Whether its task hasn't ended: it is opening or running.
  fileprivate(set) var isLive = true
  fileprivate var task: Task<Void, Never>?
  /// The number of tasks that have been told to wait for it, and haven't begun to.
  fileprivate var expectedWaiters = 0
  fileprivate var waiters: [Waiter] = []
  /// The resources that its `open` is waiting for, once per wait.
  fileprivate var awaits: [Resource] = []
  /// The resources that it was opened from, or has asked for since.
  fileprivate var needs: [Resource] = []
  /// The number of resources that need this one, and haven't closed.
  fileprivate var dependents = 0

  init(_ key: any ResourceKey.Type, in lifetime: Lifetime, isListed: Bool) {
    self.key = key
    self.lifetime = lifetime
    self.isListed = isListed
  }

  fileprivate var isOpening: Bool { if case .opening = phase { true } else { false } }

  fileprivate var isOpen: Bool { if case .open = phase { true } else { false } }

  /// Whether closing still waits for it: it hasn't failed, and hasn't closed.
  fileprivate var isUnclosed: Bool {
    switch phase {
    case .failed, .closed: false
    case .opening, .open, .closing: true
    }
  }
}

extension Resource? {
  /// The resource, the one whose code began its lifetime, and so on.
  ///
  /// What a resource asks for, it asks for all of them.
  fileprivate var chain: [Resource] {
    guard let self else { return [] }
    var chain = [self]
    while let outer = chain.last!.lifetime.outer?.resource { chain.append(outer) }
    return chain
  }
}

/// A task that waits for a resource to open.
// Unchecked. Sound: used only under the lock of the graph, and by the thread that has removed it there.
final class Waiter: @unchecked Sendable {
  /// The resource whose code waits.
  let asker: Resource?
  fileprivate(set) var continuation: CheckedContinuation<Override, any Error>?

  init(asker: Resource?) { self.asker = asker }
}

// MARK: - What a lifetime knows

extension Lifetime.State {
  /// Whether every listed resource is open, or one failed to open.
  var isListedOpen: Bool {
    failure != nil || !resources.contains { $0.isListed && $0.isOpening }
  }

  /// The resource of the first of aliased keys that this lifetime has.
  fileprivate func resource(of keys: [any DependencyKey.Type]) -> Resource? {
    for key in keys {
      if let resource = resources.first(where: { $0.key == key }) { return resource }
    }
    return nil
  }

  /// The listed resources that are open.
  fileprivate var listed: [Override] {
    resources.compactMap {
      guard $0.isListed, case .open(let override, _) = $0.phase else { return nil }
      return override
    }
  }

  var isAnythingLeft: Bool { resources.contains(where: \.isUnclosed) }

  /// Whether a resource can be closed, or nothing is left.
  var isNextClosable: Bool {
    !resources.contains(where: \.isOpening) && nextToClose?.dependents ?? 0 == 0
  }

  /// The last opened resource, or one that needs it.
  fileprivate var nextToClose: Resource? {
    guard var next = resources.last(where: \.isOpen) else { return nil }
    while let dependent = resources.last(where: { resource in
      resource.isOpen && resource.needs.contains { $0 === next }
    }) {
      next = dependent
    }
    return next
  }

  /// What closing waits for: a key, and its function that hasn't returned; `nil` for the function if it
  /// waits for other lifetimes.
  var closingStep: (key: any ResourceKey.Type, function: String?)? {
    for resource in resources {
      switch resource.phase {
      case .opening: return (resource.key, "open")
      case .closing: return (resource.key, resource.isLive ? "run" : "close")
      default: break
      }
    }
    return nextToClose.flatMap { $0.dependents > 0 ? ($0.key, nil) : nil }
  }

  /// Records an error, and returns whether the lifetime throws it.
  ///
  /// Only the first counts, and only until the operation has ended.
  @discardableResult
  fileprivate mutating func fail(_ error: any Error) -> Bool {
    guard failure == nil, phase == .opening || phase == .operating else { return false }
    failure = error
    return true
  }

  /// Returns the operation, to cancel it outside the lock, because that runs cancellation handlers.
  mutating func cancelOperation() -> Task<Void, Never>? {
    guard phase == .operating else { return nil }
    isOperationCancelled = true
    return operation
  }
}

// MARK: - Asking

extension ResourceGraph {
  enum Answer {
    case open(Override)
    case wait(Resource)
    /// The resource must be started. Another lifetime, which isn't around, has listed its key.
    case start(Resource, lostFrom: Lifetime?)
    /// Nothing has the key, and it may not be opened.
    case refused
  }

  /// Asks the lifetimes from one outward for aliased keys, and opens the first key if none has them.
  ///
  /// - Parameter owner: The owner of the lifetime that has provided the key, beyond which nothing is asked.
  mutating func ask(
    _ keys: [any DependencyKey.Type], opening key: any ResourceKey.Type, in innermost: Lifetime,
    until owner: OverrideOwner?, for asker: Resource?, mayOpen: Bool, isCancelled: Bool
  ) throws -> Answer {
    var next: Lifetime? = innermost
    while let lifetime = next {
      if let resource = self[lifetime].resource(of: keys) {
        if refuses(asker, resource) { throw lifetime.endedError(of: key) }
        switch resource.phase {
        case .open(let override, _):
          addNeed(of: asker, for: resource)
          return .open(override)
        case .opening:
          resource.expectedWaiters += 1
          return .wait(resource)
        case .closing, .closed: throw lifetime.endedError(of: key)
        // This lifetime is failing. A listed key must not read the resource of an outer lifetime
        // instead.
        case .failed(let error): throw error
        }
      }
      if lifetime.owner === owner { throw lifetime.endedError(of: key) }
      next = lifetime.outer?.lifetime
    }
    if !mayOpen { return .refused }
    switch self[innermost].phase {
    case .opening, .operating: break
    case .closing where asker.chain.contains { $0.lifetime === innermost && $0.isOpening }:
      // It is cancelled, or will be.
      throw CancellationError()
    case .closing, .ended: throw innermost.endedError(of: key)
    }
    if isCancelled { throw CancellationError() }
    let resource = Resource(key, in: innermost, isListed: false)
    resource.expectedWaiters = 1
    self[innermost].resources.insert(resource, at: 0)
    return .start(resource, lostFrom: outermost.first { hasLost($0, innermost, askingFor: keys) })
  }

  /// Adds a task that waits for a resource, or returns the result that makes waiting unnecessary.
  mutating func wait(
    for resource: Resource, _ waiter: Waiter,
    _ continuation: CheckedContinuation<Override, any Error>, isCancelled: Bool
  ) -> Result<Override, any Error>? {
    resource.expectedWaiters -= 1
    switch resource.phase {
    case .open(let override, _):
      addNeed(of: waiter.asker, for: resource)
      return .success(override)
    case .failed(let error):
      forgetError(of: resource)
      return .failure(error)
    case .closing, .closed: return .failure(CancellationError())
    case .opening: break
    }
    if isCancelled { return .failure(CancellationError()) }
    let chain = waiter.asker.chain
    if let path = path(from: resource, to: chain, by: \.awaits) {
      return .failure(ResourceError.cycle([path.last!.key] + path.map(\.key)))
    }
    for asker in chain { asker.awaits.append(resource) }
    waiter.continuation = continuation
    resource.waiters.append(waiter)
    return nil
  }

  /// Returns whether the task was waiting.
  mutating func cancel(_ waiter: Waiter, for resource: Resource) -> Bool {
    guard let position = resource.waiters.firstIndex(where: { $0 === waiter }) else { return false }
    resource.waiters.remove(at: position)
    removeWait(of: waiter, for: resource)
    return true
  }

  private mutating func takeWaiters(for resource: Resource) -> [Waiter] {
    if resource.waiters.isEmpty { return [] }
    defer { resource.waiters = [] }
    for waiter in resource.waiters { removeWait(of: waiter, for: resource) }
    return resource.waiters
  }

  private func removeWait(of waiter: Waiter, for resource: Resource) {
    for asker in waiter.asker.chain {
      asker.awaits.firstIndex { $0 === resource }.map { _ = asker.awaits.remove(at: $0) }
    }
  }

  private mutating func addNeed(of asker: Resource?, for resource: Resource) {
    let chain = asker.chain
    // Code of a resource may ask for one that was opened from it: that need would be a cycle.
    if chain.contains(where: { $0 === resource || $0.dependents > 0 }),
      path(from: resource, to: chain, by: \.needs) != nil
    {
      return
    }
    for asker in chain
    // Code that outlives its resource may still ask, but nothing would end that need.
    where asker.isUnclosed && !asker.needs.contains(where: { $0 === resource }) {
      asker.needs.append(resource)
      resource.dependents += 1
    }
    // A lifetime that closes may wait for this resource, and closes what needs it first.
    didChange(resource.lifetime)
  }

  private mutating func removeNeeds(of resource: Resource) {
    for need in resource.needs {
      need.dependents -= 1
      if need.dependents == 0 { didChange(need.lifetime) }
    }
    resource.needs = []
  }

  /// Returns the resources from one to the first of others that is found, both included.
  private func path(
    from start: Resource, to ends: [Resource], by edges: (Resource) -> [Resource]
  ) -> [Resource]? {
    var path: [Resource] = []
    var visited: Set<ObjectIdentifier> = []
    func search(_ resource: Resource) -> Bool {
      guard visited.insert(ObjectIdentifier(resource)).inserted else { return false }
      path.append(resource)
      if ends.contains(where: { $0 === resource }) || edges(resource).contains(where: search) {
        return true
      }
      path.removeLast()
      return false
    }
    return search(start) ? path : nil
  }

  /// Whether nothing more opens from a resource, because its lifetime's operation has returned.
  ///
  /// Code of that lifetime's resources, and of what was opened from the resource before, still gets it:
  /// both end before it closes.
  private func refuses(_ asker: Resource?, _ resource: Resource) -> Bool {
    self[resource.lifetime].phase == .closing
      && !asker.chain.contains { asker in
        asker.lifetime === resource.lifetime || asker.needs.contains { $0 === resource }
      }
  }

  /// Whether the code of a lifetime has lost the scope of another one, which has the resource that it
  /// asks for: it began outside any scope, over the same global store.
  private func hasLost(
    _ lifetime: Lifetime, _ other: Lifetime, askingFor keys: [any DependencyKey.Type]
  ) -> Bool {
    var outermost = other
    while let outer = outermost.outer?.lifetime { outermost = outer }
    return outermost !== lifetime && outermost.scope.beganOutsideAnyScope
      && outermost.scope.isOverSameStore(as: lifetime.scope)
      && self[lifetime].resource(of: keys)?.isOpen == true
  }
}

// MARK: - Opening

extension ResourceGraph {
  /// Lists a key, unless it or one that is aliased to it is listed.
  mutating func list(
    _ key: any ResourceKey.Type, aliasedTo keys: [any DependencyKey.Type], in lifetime: Lifetime
  ) {
    if self[lifetime].resource(of: keys) != nil { return }
    if lifetime.outer == nil, self[lifetime].resources.isEmpty { outermost.append(lifetime) }
    self[lifetime].resources.append(Resource(key, in: lifetime, isListed: true))
  }

  /// Returns whether to cancel the task immediately.
  func didStart(_ resource: Resource, _ task: Task<Void, Never>) -> Bool {
    // The task may have ended before its creator gets here.
    guard resource.isLive else { return false }
    resource.task = task
    // Closing cancels the `run` of an open resource later, when nothing needs the resource.
    return !resource.isOpen && self[resource.lifetime].phase == .closing
  }

  /// Returns the tasks that wait for the resource, and the scope in which to run it, if it runs.
  mutating func didOpen(
    _ resource: Resource, _ override: Override
  ) -> (waiters: [Waiter], scope: DependencyScope?) {
    let lifetime = resource.lifetime
    // No code of a user runs here: the new scope has all that the old one has.
    let scope = self[lifetime].opened.with([override])
    self[lifetime].opened = scope
    resource.phase = .open(override, scope)
    if self[lifetime].resources.last !== resource {
      self[lifetime].resources.removeAll { $0 === resource }
      self[lifetime].resources.append(resource)
    }
    let waiters = takeWaiters(for: resource)
    for waiter in waiters { addNeed(of: waiter.asker, for: resource) }
    didChange(lifetime)
    return (waiters, self[lifetime].phase == .closing ? nil : scope)
  }

  mutating func didFail(_ resource: Resource, _ error: any Error) -> [Waiter] {
    let lifetime = resource.lifetime
    resource.phase = .failed(error)
    resource.isLive = false
    if resource.isListed {
      self[lifetime].fail(error)
    } else {
      // The next task that asks opens another one.
      self[lifetime].resources.removeAll { $0 === resource }
      forgetError(of: resource)
    }
    removeNeeds(of: resource)
    didChange(lifetime)
    return takeWaiters(for: resource)
  }

  /// Forgets the error of a resource that failed on demand, when nothing more gets it: an error that keeps
  /// its scope also keeps the resource.
  ///
  /// The caller still has the error, so this frees nothing under the lock.
  private func forgetError(of resource: Resource) {
    if !resource.isListed, resource.expectedWaiters == 0 { resource.phase = .closed }
  }

  /// Returns whether the lifetime throws an error of `run`, and the operation if it must be canceled.
  mutating func didFailToRun(
    _ resource: Resource, _ error: any Error
  ) -> (isThrown: Bool, operation: Task<Void, Never>?) {
    defer { didChange(resource.lifetime) }
    return (self[resource.lifetime].fail(error), self[resource.lifetime].cancelOperation())
  }

  /// Lets the resource close.
  mutating func didRun(_ resource: Resource) {
    resource.isLive = false
    didChange(resource.lifetime)
  }
}

// MARK: - Operating

extension ResourceGraph {
  mutating func fail(_ lifetime: Lifetime, _ error: any Error) {
    self[lifetime].fail(error)
    didChange(lifetime)
  }

  /// Begins the operation, and returns the listed resources that it reads; `nil` after a failure.
  func beginOperating(_ lifetime: Lifetime, isCancelled: Bool) -> [Override]? {
    if isCancelled { self[lifetime].fail(CancellationError()) }
    self[lifetime].phase = self[lifetime].failure == nil ? .operating : .closing
    return self[lifetime].failure == nil ? self[lifetime].listed : nil
  }

  /// Returns the operation if it must be canceled immediately.
  func beginOperation(_ task: Task<Void, Never>, of lifetime: Lifetime) -> Task<Void, Never>? {
    if self[lifetime].phase == .operating { self[lifetime].operation = task }
    return self[lifetime].isOperationCancelled ? task : nil
  }

  /// Ends the operation, whose task nothing cancels from now on, unless it already does.
  ///
  /// - Returns: Whether something cancels the task, and whether there is anything to close.
  func endOperation(of lifetime: Lifetime) -> (isCancelled: Bool, isAnythingLeft: Bool) {
    self[lifetime].phase = .closing
    self[lifetime].operation = nil
    return (self[lifetime].isOperationCancelled, self[lifetime].isAnythingLeft)
  }
}

// MARK: - Closing

extension ResourceGraph {
  /// Returns the tasks of resources that are still opening.
  func beginClosing(_ lifetime: Lifetime) -> [Task<Void, Never>] {
    self[lifetime].phase = .closing
    return self[lifetime].resources.filter(\.isOpening).compactMap(\.task)
  }

  /// Begins to close the next resource, if that can be closed.
  ///
  /// - Returns: The resource, its value, what its code reads, and its task.
  func closeNext(
    of lifetime: Lifetime
  ) -> (Resource, Override, scope: DependencyScope, task: Task<Void, Never>?)? {
    guard
      self[lifetime].isNextClosable, let next = self[lifetime].nextToClose,
      case .open(let override, let scope) = next.phase
    else { return nil }
    next.phase = .closing
    return (next, override, scope, next.task)
  }

  mutating func didClose(_ resource: Resource) {
    resource.phase = .closed
    removeNeeds(of: resource)
  }

  /// Ends a lifetime in which nothing is left.
  ///
  /// - Returns: What failed, and what to release outside the lock.
  mutating func end(
    _ lifetime: Lifetime
  ) -> ((any Error)?, ended: (Lifetime.State, [Resource.Phase])) {
    outermost.removeAll { $0 === lifetime }
    let ended = self[lifetime]
    let phases = ended.resources.map(\.phase)
    // An error that keeps its scope also keeps the lifetime and the resource.
    for resource in ended.resources { resource.phase = .closed }
    self[lifetime] = Lifetime.State(phase: .ended, opened: lifetime.scope)
    return (ended.failure, (ended, phases))
  }
}
