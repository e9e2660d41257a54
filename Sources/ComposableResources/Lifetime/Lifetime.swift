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
  let end = OverrideEnd()
  private let fileID: StaticString
  private let line: UInt
  var place: SourceLocation? { SourceLocation(fileID: fileID, line: line) }
  private let executor: (any TaskExecutor)?
  private let startsAtOnce: Bool
  /// The number of lifetimes around this one, and this one.
  let depth: Int
  private let state = Mutex(LifetimeState())

  /// - Parameter isOnActor: Whether the caller is on an actor, which isn't to run the code of resources.
  init(isOnActor: Bool, fileID: StaticString, line: UInt) {
    scope = .current
    outer = scope[LifetimeKey.self]
    self.fileID = fileID
    self.line = line
    executor = Self.currentTaskExecutor
    depth = (outer?.lifetime.depth ?? 0) + 1
    // What starts at once is on its creator's stack, which a deep nest of lifetimes must not fill.
    startsAtOnce = !isOnActor && executor == nil && depth % 32 != 0
  }

  /// The task executor that the resources' tasks also prefer, as child tasks of the caller would.
  private static var currentTaskExecutor: (any TaskExecutor)? {
    guard #available(macOS 26.4, iOS 26.4, tvOS 26.4, watchOS 26.4, visionOS 26.4, *) else {
      return nil
    }
    return unsafe withUnsafeCurrentTask { unsafe $0?.unownedTaskExecutor?.asTaskExecutor() }
  }

  /// The scope of the operation and of `close`, without the listed resources.
  var innerScope: DependencyScope { scope(for: nil) }

  /// Returns the scope in which the code of a resource runs.
  func scope(for resource: Int?) -> DependencyScope {
    scope.with { $0[LifetimeKey.self] = LifetimeHandle(lifetime: self, resource: resource) }
  }

  /// Starts a task in a scope, which ends before this lifetime does.
  ///
  /// - Parameter atOnce: Whether to run it here until it waits; so what doesn't wait needs no thread.
  ///   Until then, its creator can't cancel it.
  func task(
    in scope: DependencyScope, atOnce: Bool = false,
    _ operation: @escaping @Sendable @isolated(any) () async -> Void
  ) -> Task<Void, Never> {
    // A new task copies the scope, which costs less than to enter it there.
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

// MARK: - After the end

extension Lifetime {
  func didClose() {
    // Released after the lock, because their deinitializers may run user code.
    let resources = update { $0.end() }
    end.come()
    withExtendedLifetime(resources) {}
  }

  func endedError(of key: any ResourceKey.Type) -> ResourceError {
    .lifetimeEnded(key, fileID: fileID, line: line)
  }

  func didRead(_: any DependencyKey.Type, of key: any DependencyKey.Type) {
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
