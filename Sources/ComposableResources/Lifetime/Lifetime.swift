internal import ComposableDependencies
internal import Synchronization

/// The resources of one `withResources`, from the first opening to the last closing.
///
/// Each resource has a task of this lifetime, which opens and runs it, so a caller's cancellation
/// never leaves it half open. ``LifetimeState`` makes all decisions.
final class Lifetime: OverrideOwner {
  /// The scope that called `withResources`, in which resources are opened, run and closed.
  let scope: DependencyScope
  let outer: LifetimeHandle?
  let end = OwnerEnd()
  private let fileID: StaticString
  private let line: UInt
  var place: SourcePlace? { SourcePlace(fileID: fileID, line: line) }
  private let executor: (any TaskExecutor)?
  private let startsAtOnce: Bool
  /// The number of lifetimes around this one, and this one.
  let depth: Int
  private let state = Mutex(LifetimeState())

  /// - Parameter isOnActor: Whether the caller is on an actor, which must not run the code of
  ///   resources.
  init(isOnActor: Bool, fileID: StaticString, line: UInt) {
    scope = .current
    outer = scope[LifetimeKey.self]
    self.fileID = fileID
    self.line = line
    executor = Self.currentTaskExecutor
    depth = (outer?.lifetime.depth ?? 0) + 1
    // A task that starts immediately runs on its creator's stack. Deeply nested lifetimes must not
    // overflow it.
    startsAtOnce = !isOnActor && executor == nil && depth % 32 != 0
  }

  /// The task executor that the resources' tasks also prefer, as child tasks of the caller would.
  private static var currentTaskExecutor: (any TaskExecutor)? {
    guard #available(macOS 26.4, iOS 26.4, tvOS 26.4, watchOS 26.4, visionOS 26.4, *) else {
      return nil
    }
    // Sound: the reference to the task isn't used outside the closure.
    return unsafe withUnsafeCurrentTask { unsafe $0?.unownedTaskExecutor?.asTaskExecutor() }
  }

  /// The scope of the operation and of `close`, without the listed resources.
  var innerScope: DependencyScope { scope(for: nil) }

  /// Returns the scope in which the code of a resource runs.
  func scope(for resource: Int?) -> DependencyScope {
    scope.with { $0[LifetimeKey.self] = LifetimeHandle(lifetime: self, resource: resource) }
  }

  /// Starts a task in a scope.
  ///
  /// The lifetime waits for its end.
  ///
  /// - Parameter atOnce: Whether to run it on this stack until it suspends, so that a resource that
  ///   opens synchronously needs no other thread. Until then, its creator can't cancel it.
  func task(
    in scope: DependencyScope, atOnce: Bool = false,
    _ operation: @escaping @Sendable @isolated(any) () async -> Void
  ) -> Task<Void, Never> {
    // The task inherits the scope, which costs less than entering it in the task.
    scope.run {
      if atOnce, startsAtOnce, #available(macOS 26, iOS 26, watchOS 26, tvOS 26, visionOS 26, *) {
        return Task.immediate(operation: operation)
      }
      return Task(executorPreference: executor, operation: operation)
    }
  }
}

// MARK: - The state

extension Lifetime {
  /// Changes the state, and then resumes the task that waits for the change.
  func update<R>(_ change: (inout LifetimeState) -> R) -> R {
    let (result, observer) = state.withLock { state in
      (change(&state), state.takeSatisfiedObserver())
    }
    observer?.continuation.resume()
    return result
  }

  /// Waits until the state satisfies a condition, even if the task is cancelled.
  ///
  /// At most one task waits: the one that opens, operates and closes.
  func wait(until isSatisfied: @escaping @Sendable (borrowing LifetimeState) -> Bool) async {
    if state.withLock({ isSatisfied($0) }) { return }
    await withCheckedContinuation { continuation in
      update { $0.observer = .init(isSatisfied: isSatisfied, continuation: continuation) }
    }
  }
}

// MARK: - Opening

extension Lifetime {
  /// Lists a key of `withResources`, unless it is overridden.
  func list<Key: ResourceKey>(_ key: Key.Type) {
    switch scope.source(of: key) {
    case .override(let override) where !(override.watcher is any OverrideOwner): return
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
    if let failure = update({ $0.beginOperating(isCancelled: isCancelled) }) { throw failure }
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
        // Check for cancellation under the lock, because `onCancel` looks for this waiter under it.
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
  /// - Parameter atOnce: Whether to open it on this stack until it suspends. Pass `false` if a
  ///   resource is about to wait for it: a cycle is found only among resources that already wait.
  private func start(_ start: LifetimeState.Start, atOnce: Bool) {
    let scope = scope(for: start.index)
    let task = task(in: scope, atOnce: atOnce) {
      await self.openAndRun(start.key, at: start.index, in: scope)
    }
    if update({ $0.didStart(start, task) }) { task.cancel() }
  }

  /// Opens a resource, and runs it if this lifetime isn't closing.
  private func openAndRun<Key: ResourceKey>(
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

  /// Resumes the tasks that wait for a resource, and returns whether to run it.
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

// MARK: - Operating

extension Lifetime {
  /// Runs the operation in its own task, which a failing `run` cancels.
  ///
  /// Unless it is cancelled, the same task closes the resources.
  func operate<R>(
    in scope: DependencyScope,
    isolation: isolated (any Actor)? = #isolation,
    _ operation: @concurrent () async throws -> R
  ) async -> Result<R, any Error> {
    let outcome = Outcome<R>()
    await withoutActuallyEscaping(operation) { operation in
      _ = isolation  // Keeps this closure on the caller's actor, which the operation belongs to.
      let operation = Lent(value: operation)
      await withTaskCancellationHandler {
        await task(in: scope, atOnce: true) {
          let mayClose = await self.operate { await outcome.set(operation) }
          if mayClose { await self.closeAll() }
        }.value
      } onCancel: {
        cancel(update { $0.cancelOperation() })
      }
    }
    return outcome.result(unless: update { $0.failure })
  }

  /// Runs the operation in the current task.
  ///
  /// - Returns: Whether this task may close the resources, because it isn't cancelled.
  private func operate(
    _ operation: @escaping @Sendable @concurrent () async -> Void
  ) async -> Bool {
    // The task registers itself, because it may run before its creator has it. Sound: the reference is
    // valid until the closure ends, and the closure waits for everything that uses the reference.
    await unsafe withUnsafeCurrentTask { task in
      let task = unsafe OperationTask(task: task!)
      cancel(update { $0.beginOperation(task) })
      await operation()
      update { $0.endOperation() }
      await wait { !$0.isCancellingOperation }
      return !Task.isCancelled
    }
  }

  /// Cancels the operation, outside the lock, because that runs cancellation handlers.
  func cancel(_ operation: OperationTask?) {
    guard let operation else { return }
    operation.cancel()
    update { $0.isCancellingOperation = false }
  }
}

/// The task of an operation, while it runs.
///
/// A class, because copying the reference of another module costs more.
// Unchecked. Sound: other tasks only call `cancel`, which any task may do while the reference is valid.
// The closure of `withUnsafeCurrentTask` waits for them before it ends.
@safe
final class OperationTask: @unchecked Sendable {
  private let task: UnsafeCurrentTask
  init(task: UnsafeCurrentTask) { unsafe self.task = task }
  func cancel() { unsafe task.cancel() }
}

/// The operation, lent to another task while its own task waits.
// Unchecked. Sound: only one task at a time uses it.
private struct Lent<Operation>: @unchecked Sendable {
  let value: Operation
}

/// The result of the operation.
// Unchecked. Sound: one task writes it, and another reads it after the first has ended.
private final class Outcome<R>: @unchecked Sendable {
  private var result: Result<R, any Error>?

  @concurrent func set(_ operation: Lent<@concurrent () async throws -> R>) async {
    do { result = .success(try await operation.value()) } catch { result = .failure(error) }
  }

  /// The result, unless the lifetime failed.
  ///
  /// The operation's own error is never masked, apart from its cancellation, which is a consequence
  /// of the failure.
  func result(unless failure: (any Error)?) -> Result<R, any Error> {
    guard let failure else { return result! }
    if case .failure(let error) = result, !(error is CancellationError) { return .failure(error) }
    return .failure(failure)
  }
}

// MARK: - Closing

extension Lifetime {
  /// Closes every resource, even if the caller is cancelled.
  func close() async {
    // In its own task, because Swift can't shield a task from cancellation.
    if update({ $0.isAnythingLeft }) {
      await task(in: scope) { await self.closeAll() }.value
    }
    didClose()
  }

  /// Closes every resource, in a task that isn't cancelled.
  func closeAll() async {
    if update({ !$0.isAnythingLeft }) { return }
    #if DEBUG
      let watch = Task { await reportSlowClosing() }
      defer { watch.cancel() }
    #endif
    for task in update({ $0.beginClosing() }) { task.cancel() }
    await wait { !$0.isAnyOpening }
    await innerScope.enter {
      while let next = update({ $0.nextToClose() }) {
        next.task?.cancel()
        if next.isLive { await wait { !$0.resources[next.index].isLive } }
        await close(next.key, next.value)
        update { $0.didClose(next.index) }
      }
    }
  }

  private func close<Key: ResourceKey>(_ key: Key.Type, _ value: any Sendable) async {
    await Key.close(value as! Key.Value)
  }

  #if DEBUG
    private func reportSlowClosing() async {
      let limit = scope.resourceClosingTime
      guard (try? await Task.sleep(for: limit)) != nil else { return }
      guard let (key, function) = update({ $0.closingStep }) else { return }
      let isCancelled = function != "close"
      report(
        """
        A lifetime has been closing for longer than \(limit). It waits for `\(function)` of \
        `\(key)`\(isCancelled ? ", which was cancelled," : "") to return.
        """,
        """
        make `\(function)` return soon\(isCancelled ? " after a cancellation" : ""). If it needs \
        more time, set a longer `resourceClosingTime`.
        """)
    }
  #endif
}

// MARK: - After the end

extension Lifetime {
  func didClose() {
    // Freed outside the lock, because the deinitializers of values may run user code.
    let resources = update { $0.end() }
    end.reach()
    withExtendedLifetime(resources) {}
  }

  func endedError(of key: any ResourceKey.Type) -> ResourceError {
    .lifetimeEnded(key, fileID: fileID, line: line)
  }

  func didRead(_ read: Read) {
    guard case .override(let override) = read.source else { return }
    let key = override.key
    report(
      "`\(key)` was read after its lifetime ended: this `withResources` has closed it.",
      """
      wait inside the operation for the tasks that read it, or list `\(key).self` in a longer \
      lifetime. Tasks and values that outlive the operation must not read it.
      """)
  }

  /// Reports a misuse at the place of `withResources`.
  func report(_ problem: String, _ remedy: String) {
    DependencyIssue(problem: problem, remedy: remedy, fileID: fileID, line: line).report()
  }
}

// MARK: - The lifetime of a scope

/// The innermost lifetime of a scope, and the resource whose code runs in that scope.
struct LifetimeHandle: Sendable {
  let lifetime: Lifetime
  /// The index of the resource that is opening or running in this scope.
  let resource: Int?

  /// The handle of another lifetime that this code runs for, which is around this one.
  ///
  /// A lifetime that begins inside an `open` belongs to the resource that is opening.
  func handle(in other: Lifetime) -> LifetimeHandle? {
    var handle = self
    while handle.lifetime.depth > other.depth, let outer = handle.lifetime.outer { handle = outer }
    return handle.lifetime === other ? handle : nil
  }
}

/// The innermost lifetime of a scope.
enum LifetimeKey: UnrecordedKey {
  static var defaultValue: LifetimeHandle? { nil }
}
