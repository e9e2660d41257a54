internal import ComposableDependencies

extension Lifetime {
  /// Lists a key of `withResources`, unless it is overridden.
  func list<Key: ResourceKey>(_ key: Key.Type) {
    switch scope.source(of: key) {
    case .override(let override) where !(override.observer is any OverrideOwner): return
    case .global: return
    case .override, .defaultValue: break
    }
    if refusesToOpen(key, in: scope) { return }
    if !update({ $0.list(key) }) {
      report(
        "`withResources` lists `\(key).self` twice, and opens it once.",
        "list `\(key).self` once. For two values, declare two keys.")
    }
  }

  /// Reports, and returns, whether a test would open a resource by accident.
  func refusesToOpen<Key: ResourceKey>(_ key: Key.Type, in scope: DependencyScope) -> Bool {
    if !scope.readsTestValues || scope.opensResourcesInTests { return false }
    report(
      """
      This test would open `\(key)`, because nothing overrides it in the test's scope. The test \
      reads its `testValue` instead.
      """,
      """
      override it in the test, as in `.dependencies { $0[\(key).self] = … }`, or set \
      `opensResourcesInTests` if the test must open it.
      """)
    return true
  }

  /// Returns when every listed resource is open, or throws the first error.
  func openListed() async throws {
    let starts = update { $0.listed }
    if !starts.isEmpty {
      for start in starts { self.start(start, atOnce: true) }
      // Often all of them are open already.
      if update({ !$0.isListedOpen }) {
        await withTaskCancellationHandler {
          await wait { $0.isListedOpen }
        } onCancel: {
          update { $0.fail(CancellationError()) }
        }
      }
    }
    let isCancelled = Task.isCancelled
    if let failure = update({ $0.endOpening(isCancelled: isCancelled) }) { throw failure }
  }

  /// Overrides a listed key with its open resource.
  func adding<Key: ResourceKey>(_ key: Key.Type, to scope: DependencyScope) -> DependencyScope {
    guard case .value(let value) = update({ $0.request(key, for: nil, opens: false) }) else {
      return scope
    }
    return scope.with(key, value as! Key.Value, owner: self)
  }

  /// Waits until a resource of this lifetime is open, and returns it; `nil` if the lifetime doesn't
  /// have it.
  func valueIfPresent<Key: ResourceKey>(
    of key: Key.Type, for requester: Int?
  ) async throws -> Key.Value? {
    try await value(of: key, for: requester, opens: false)
  }

  /// Returns a resource, after opening it if this lifetime doesn't have it.
  func value<Key: ResourceKey>(of key: Key.Type, for requester: Int?) async throws -> Key.Value {
    try await value(of: key, for: requester, opens: true)!
  }

  private func value<Key: ResourceKey>(
    of key: Key.Type, for requester: Int?, opens: Bool
  ) async throws -> Key.Value? {
    let isCancelled = Task.isCancelled
    let answer = update {
      $0.request(key, for: requester, opens: opens, isCancelled: isCancelled)
    }
    switch answer {
    case .value(let value): return (value as! Key.Value)
    case .wait(let index, let id):
      return try await wait(for: index, id: id, for: requester) as? Key.Value
    case .start(let start, let id):
      self.start(start, atOnce: false)
      return try await wait(for: start.index, id: id, for: requester) as? Key.Value
    case .failed(let error): throw error
    case .absent: return nil
    case .ended: throw endedError(of: key)
    case .cancelled: throw CancellationError()
    }
  }

  private func wait(
    for index: Int, id: Int, for requester: Int?
  ) async throws -> any Sendable {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let waiter = LifetimeState.Waiter(
          id: id, requester: requester, continuation: continuation)
        // Check under the lock, under which a cancellation also looks for this waiter.
        let result = update { $0.wait(for: index, waiter, isCancelled: Task.isCancelled) }
        if let result { continuation.resume(with: result) }
      }
    } onCancel: {
      let waiter = update { $0.cancelWaiter(id, for: index) }
      waiter?.continuation.resume(throwing: CancellationError())
    }
  }
}

// MARK: - The task of a resource

extension Lifetime {
  /// - Parameter atOnce: Not for what another resource waits for: its wait begins after this.
  private func start(_ start: LifetimeState.Start, atOnce: Bool) {
    let scope = scope(for: start.index)
    let task = task(in: scope, atOnce: atOnce) {
      await self.live(start.key, at: start.index, in: scope)
    }
    if update({ $0.didStart(start, task) }) { task.cancel() }
  }

  /// Opens a resource, and runs it if this lifetime isn't closing.
  private func live<Key: ResourceKey>(
    _ key: Key.Type, at index: Int, in scope: DependencyScope
  ) async {
    var isOpen = false
    do {
      try Task.checkCancellation()
      let handle = LifetimeHandle(lifetime: self, resource: index)
      let value = try await Key.open(ResourceOpening(scope: scope, handle: handle))
      isOpen = true
      if didOpen(index, value) { try await Key.run(value) }
      cancel(update { $0.didRun(index, nil) })
    } catch {
      if isOpen { cancel(update { $0.didRun(index, error) }) } else { didFail(index, error) }
    }
  }

  /// Returns whether to run it.
  private func didOpen(_ index: Int, _ value: any Sendable) -> Bool {
    let (waiters, runs) = update { $0.didOpen(index, value) }
    for waiter in waiters { waiter.continuation.resume(returning: value) }
    return runs
  }

  private func didFail(_ index: Int, _ error: any Error) {
    let waiters = update { $0.didFail(index, error) }
    for waiter in waiters { waiter.continuation.resume(throwing: error) }
  }
}
