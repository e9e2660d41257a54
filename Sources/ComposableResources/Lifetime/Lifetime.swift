internal import ComposableDependencies

/// The resources of one `withResources`, from the first opening to the last closing.
///
/// Each resource has a task of this lifetime, which opens and runs it, so a caller's cancellation
/// never leaves it half open. ``ResourceGraph`` makes all decisions.
// Unchecked. Sound: only the graph reaches `state`, under its lock.
final class Lifetime: @unchecked Sendable {
  /// The scope that called `withResources`.
  let scope: DependencyScope
  let outer: LifetimeHandle?
  /// Owns the overrides of the resources, which outlive it in scopes.
  let owner: OverrideOwner
  private let executor: (any TaskExecutor)?

  enum Phase { case opening, operating, closing, ended }

  /// The task that opens, operates or closes, while it waits for a change.
  struct Observer {
    let isSatisfied: @Sendable (State) -> Bool
    let continuation: CheckedContinuation<Void, Never>
  }

  /// What changes.
  struct State {
    var phase = Phase.opening
    /// The resources that are opening or have failed, and then the others in the order of opening.
    var resources: [Resource] = []
    /// The scope of the lifetime's caller, with everything that has opened.
    var opened: DependencyScope
    /// The first error of an `open` or a `run`, or the caller's cancellation.
    var failure: (any Error)?
    var observer: Observer?
    var operation: Task<Void, Never>?
    var isOperationCancelled = false
  }

  var state: StateOfGraph<State>

  init(fileID: StaticString, line: UInt) {
    scope = .current
    outer = scope[LifetimeKey.self]
    state = StateOfGraph(State(opened: scope))
    let place = SourcePlace(fileID: fileID, line: line)
    owner = OverrideOwner(at: place) { Self.reportReadAfterEnd(of: $0, at: place) }
    executor = Self.currentTaskExecutor
  }

  /// The task executor that the resources' tasks also prefer, as child tasks of the caller would.
  private static var currentTaskExecutor: (any TaskExecutor)? {
    #if compiler(>=6.3)
      if #available(macOS 26.4, iOS 26.4, tvOS 26.4, watchOS 26.4, visionOS 26.4, *) {
        // Sound: the reference to the task isn't used outside the closure.
        return unsafe withUnsafeCurrentTask { unsafe $0?.unownedTaskExecutor?.asTaskExecutor() }
      }
    #endif
    return nil
  }

  /// Returns the scope in which the code of a resource runs: it reads what has opened before.
  ///
  /// - Parameter resource: For the operation: the resource around it, if any.
  private func codeScope(_ opened: DependencyScope, of resource: Resource?) -> DependencyScope {
    opened.with { $0[LifetimeKey.self] = LifetimeHandle(lifetime: self, resource: resource) }
  }

  /// Starts a task in a scope.
  ///
  /// The lifetime waits for its end.
  private func task(
    in scope: DependencyScope,
    _ operation: @escaping @Sendable @isolated(any) () async -> Void
  ) -> Task<Void, Never> {
    // The task inherits the scope, which costs less than entering it in the task.
    scope.run {
      // A preference for no executor would slow down each suspension below.
      guard let executor else { return Task(operation: operation) }
      return Task(executorPreference: executor, operation: operation)
    }
  }

  /// Waits until the state satisfies a condition, even if the task is canceled.
  ///
  /// At most one task waits: the one that opens, operates and closes.
  private func wait(until isSatisfied: @escaping @Sendable (State) -> Bool) async {
    await withCheckedContinuation { continuation in
      ResourceGraph.update {
        $0[self].observer = .init(isSatisfied: isSatisfied, continuation: continuation)
        $0.didChange(self)
      }
    }
  }
}

// MARK: - Opening

extension Lifetime {
  /// Lists a key of `withResources`, unless it is overridden.
  func list<Key: ResourceKey>(_ key: Key.Type) {
    switch scope.source(of: key) {
    case .override(let override) where override.owner == nil: return
    case .global: return
    case .override, .defaultValue: break
    }
    if !scope.mayOpenResources { return reportRefusal(of: key) }
    let keys = scope.aliasedKeys(with: key)
    ResourceGraph.update { $0.list(key, aliasedTo: keys, in: self) }
  }

  /// Reports that a test would open a resource by accident.
  private func reportRefusal(of key: any ResourceKey.Type) {
    report(
      """
      This test would open `\(key)`, because nothing overrides it. The test reads its `testValue` \
      instead.
      """,
      """
      override it in the test, as in `.dependencies { $0[\(key).self] = … }`, or set \
      `opensResourcesInTests` if the test must open it.
      """)
  }

  /// Returns when every listed resource is open, or one has failed.
  func openListed() async {
    for resource in ResourceGraph.update({ $0[self].resources }) { start(resource) }
    await withTaskCancellationHandler {
      await wait { $0.isListedOpen }
    } onCancel: {
      ResourceGraph.update { $0.fail(self, CancellationError()) }
    }
  }

  /// Starts the task of a resource.
  private func start(_ resource: Resource) {
    let scope = codeScope(ResourceGraph.update { $0[self].opened }, of: resource)
    let task = task(in: scope) { await self.openAndRun(resource, resource.key) }
    if ResourceGraph.update({ $0.didStart(resource, task) }) { task.cancel() }
  }

  /// Opens a resource, and runs it if this lifetime isn't closing.
  private func openAndRun<Key: ResourceKey>(_ resource: Resource, _ key: Key.Type) async {
    let value: Key.Value
    do {
      try Task.checkCancellation()
      value = try await Key.open(ResourceOpening(resource: resource))
    } catch {
      for waiter in ResourceGraph.update({ $0.didFail(resource, error) }) {
        waiter.continuation?.resume(throwing: error)
      }
      return
    }
    let override = Override.make(key, value, owner: owner)
    let (waiters, scope) = ResourceGraph.update { $0.didOpen(resource, override) }
    for waiter in waiters { waiter.continuation?.resume(returning: override) }
    if let scope {
      do {
        try await codeScope(scope, of: resource).enter { try await Key.run(value) }
      } catch {
        // Before the resource closes, because an issue after the lifetime's end has no test.
        didFailToRun(resource, error)
      }
    }
    ResourceGraph.update { $0.didRun(resource) }
  }

  /// Lets the lifetime throw an error of `run`, or else reports it.
  private func didFailToRun(_ resource: Resource, _ error: any Error) {
    let (isThrown, operation) = ResourceGraph.update { $0.didFailToRun(resource, error) }
    operation?.cancel()
    if isThrown || error is CancellationError { return }
    report(
      "`run` of `\(resource.key)` threw an error that nothing catches: \(error).",
      "catch it in `run`: the lifetime was ending, so `withResources` doesn't throw it.")
  }
}

// MARK: - Asking

extension Lifetime {
  /// Returns the value of the nearest lifetime that has a key; opens it if none has it.
  ///
  /// - Parameters:
  ///   - owner: The owner of the lifetime that has provided the key so far, if any.
  ///   - asker: The resource that asks, if any.
  ///   - scope: The scope that is asked.
  func value<Key: ResourceKey>(
    of key: Key.Type, from owner: OverrideOwner?, for asker: Resource?, in scope: DependencyScope
  ) async throws -> Key.Value {
    let (keys, mayOpen, isCancelled) =
      (scope.aliasedKeys(with: key), scope.mayOpenResources, Task.isCancelled)
    let answer = try ResourceGraph.update {
      try $0.ask(
        keys, opening: key, in: self, until: owner, for: asker, mayOpen: mayOpen,
        isCancelled: isCancelled)
    }
    let resource: Resource
    switch answer {
    case .open(let override): return override.value(as: Key.Value.self)
    case .wait(let opening): resource = opening
    case .start(let new, let other):
      // Tests that open the same resources side by side haven't lost a scope.
      if let other, !DependencyIssue.isInTest { reportLostScope(of: key, openIn: other) }
      start(new)
      resource = new
    case .refused:
      reportRefusal(of: key)
      return scope[key]
    }
    return try await wait(for: resource, asker).value(as: Key.Value.self)
  }

  func endedError(of key: any ResourceKey.Type) -> ResourceError {
    .lifetimeEnded(key, fileID: owner.place.fileID, line: owner.place.line)
  }

  private func wait(for resource: Resource, _ asker: Resource?) async throws -> Override {
    let waiter = Waiter(asker: asker)
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        // Check for cancellation under the lock, because `onCancel` looks for this waiter under it.
        let result = ResourceGraph.update {
          $0.wait(for: resource, waiter, continuation, isCancelled: Task.isCancelled)
        }
        if let result { continuation.resume(with: result) }
      }
    } onCancel: {
      if ResourceGraph.update({ $0.cancel(waiter, for: resource) }) {
        waiter.continuation?.resume(throwing: CancellationError())
      }
    }
  }

  private func reportLostScope(of key: any ResourceKey.Type, openIn other: Lifetime) {
    report(
      """
      `\(key)` is opened once more, although the `withResources` at \(other.owner.place) has \
      it open: this code has lost that scope, as threads, queues and detached tasks do.
      """,
      """
      capture the scope there, as in `let scope = DependencyScope.current`, and enter it where this \
      work begins, such as in a server's middleware: `try await scope.run { … }`. To open another \
      one on purpose, list `\(key).self` in this `withResources`.
      """)
  }
}

extension DependencyScope {
  fileprivate var mayOpenResources: Bool { !readsTestValues || self.opensResourcesInTests }
}

// MARK: - Operating

extension Lifetime {
  /// Runs the operation in its own task, which a failing `run` cancels, and closes the resources.
  ///
  /// - Returns: What failed, apart from the operation.
  func operate<R>(
    isolation: isolated (any Actor)? = #isolation, _ lent: LentOperation<R>
  ) async -> (any Error)? {
    let isCancelled = Task.isCancelled
    if let listed = ResourceGraph.update({ $0.beginOperating(self, isCancelled: isCancelled) }) {
      let scope = codeScope(listed.isEmpty ? scope : scope.with(listed), of: outer?.resource)
      let operation = task(in: scope) {
        await lent.run()
        let (isCancelled, isAnythingLeft) = ResourceGraph.update { $0.endOperation(of: self) }
        // Unless the task was cancelled, it also closes the resources.
        if isAnythingLeft, !isCancelled, !Task.isCancelled { await self.closeAll() }
      }
      ResourceGraph.update { $0.beginOperation(operation, of: self) }?.cancel()
      await withTaskCancellationHandler {
        await operation.value
      } onCancel: {
        ResourceGraph.update { $0[self].cancelOperation() }?.cancel()
      }
    }
    // In a new task, because Swift can't shield a task from cancellation.
    if ResourceGraph.update({ $0[self].isAnythingLeft }) {
      await task(in: scope) { await self.closeAll() }.value
    }
    let (failure, ended) = ResourceGraph.update { $0.end(self) }
    owner.end()
    withExtendedLifetime(ended) {}
    return failure
  }
}

// MARK: - Closing

extension Lifetime {
  /// Closes every resource, in a task that isn't canceled.
  private func closeAll() async {
    ClosingWatch.begin(self, limit: scope.resourceClosingTime)
    defer { ClosingWatch.end(self) }
    for task in ResourceGraph.update({ $0.beginClosing(self) }) { task.cancel() }
    while ResourceGraph.update({ $0[self].isAnythingLeft }) {
      let next = ResourceGraph.update { $0.closeNext(of: self) }
      guard let (resource, override, scope, task) = next else {
        await wait { $0.isNextClosable }
        continue
      }
      // If the task isn't known yet, its creator cancels it.
      task?.cancel()
      if ResourceGraph.update({ _ in resource.isLive }) { await wait { _ in !resource.isLive } }
      await close(resource.key, override, in: codeScope(scope, of: resource))
      ResourceGraph.update { $0.didClose(resource) }
    }
  }

  private func close<Key: ResourceKey>(
    _ key: Key.Type, _ override: Override, in scope: DependencyScope
  ) async {
    await scope.enter { await Key.close(override.value(as: Key.Value.self)) }
  }

  /// Reports what closing waits for, outside its tasks.
  func reportSlowClosing(_ limit: Duration) {
    guard let (key, function) = ResourceGraph.update({ $0[self].closingStep }) else { return }
    let (step, remedy) =
      switch function {
      case "close": ("waits for `close` of `\(key)` to return", "make `close` return soon")
      case .some(let function):
        (
          "waits for `\(function)` of `\(key)`, which was cancelled, to return",
          "make `\(function)` return soon after a cancellation"
        )
      case nil:
        (
          "keeps `\(key)` open for what other lifetimes have opened from it",
          "wait in the operation for the tasks of these lifetimes, or cancel them"
        )
      }
    scope.run {
      report(
        "A lifetime has been closing for longer than \(limit). It \(step).",
        "\(remedy). If it needs more time, set a longer `resourceClosingTime`.")
    }
  }
}

// MARK: - Issues

extension Lifetime {
  private static func reportReadAfterEnd(of key: any DependencyKey.Type, at place: SourcePlace) {
    DependencyIssue(
      problem: "`\(key)` was read after its lifetime ended: this `withResources` has closed it.",
      remedy: """
        wait inside the operation for the tasks that read it, or list `\(key).self` in a longer \
        lifetime. Tasks and values that outlive the operation must not read it.
        """, at: place
    ).report()
  }

  /// Reports a misuse at the place of `withResources`.
  private func report(_ problem: String, _ remedy: String) {
    DependencyIssue(problem: problem, remedy: remedy, at: owner.place).report()
  }
}

// MARK: - The lifetime of a scope

/// The innermost lifetime of a scope, and the resource whose code runs in that scope.
struct LifetimeHandle: Sendable {
  let lifetime: Lifetime
  /// The innermost resource that is opening, running or closing around this code.
  let resource: Resource?
}

/// The innermost lifetime of a scope.
enum LifetimeKey: UnrecordedKey {
  static var defaultValue: LifetimeHandle? { nil }
}
