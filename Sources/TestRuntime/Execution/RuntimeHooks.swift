internal import Synchronization

// No public API reports that a task was created. But the runtime calls one hook with each job that
// has no executor of its own, and another one when it looks up the main actor's executor.
// `UnstructuredTaskTests` and `MainActorOrderTests` fail if the runtime stops calling them. Where it
// has no hooks, unstructured tasks and the main actor run outside the executors of tests.

/// Passes the jobs of unstructured tasks and of the main actor to the tests that they belong to.
enum RuntimeHooks {
  /// Installs the hooks, if they aren't installed.
  static func install() {
    jobs?.install()
    mainExecutor?.install()
  }

  fileprivate static let jobs = Hook("swift_task_enqueueGlobal_hook") {
    // Sound: a function without context is a pointer.
    unsafe unsafeBitCast(enqueue, to: UInt.self)
  }
  fileprivate static let mainExecutor = Hook("swift_task_getMainExecutor_hook") {
    unsafe unsafeBitCast(getMainExecutor, to: UInt.self)
  }
}

private typealias Enqueue = @convention(thin) (UnownedJob) -> Void
private typealias EnqueueHook = @convention(thin) (UnownedJob, Enqueue) -> Void

private let enqueue: EnqueueHook = { job, original in
  if RunningExecutors.shared.take(job) { return }
  guard let previous = RuntimeHooks.jobs?.previous else { return original(job) }
  unsafe unsafeBitCast(previous, to: EnqueueHook.self)(job, original)
}

private typealias GetExecutor = @convention(thin) () -> UnownedSerialExecutor
private typealias GetExecutorHook = @convention(thin) (GetExecutor) -> UnownedSerialExecutor

private let getMainExecutor: GetExecutorHook = { original in
  if let standIn = RunningExecutors.shared.current?.mainActor {
    return unsafe standIn.asUnownedSerialExecutor()
  }
  guard let previous = RuntimeHooks.mainExecutor?.previous else { return unsafe original() }
  return unsafe unsafeBitCast(previous, to: GetExecutorHook.self)(original)
}

/// A place where the runtime looks for a function to call.
// Sound: only aligned words are loaded and stored, while threads may call what was there before.
@safe private final class Hook: Sendable {
  private let address: UInt
  private let function: @Sendable () -> UInt
  private let isInstalled = Mutex(false)
  private let before = Atomic<UInt>(0)

  /// Finds the place; `nil` if the runtime has none of this name.
  init?(_ name: String, _ function: @escaping @Sendable () -> UInt) {
    #if _ptrauth(_arm64e)
      // The runtime may expect a signed pointer there.
      return nil
    #else
      guard let address = symbolAddress(name) else { return nil }
      self.address = address
      self.function = function
    #endif
  }

  /// The function that was there before, if any.
  var previous: UInt? {
    let before = before.load(ordering: .acquiring)
    return before == 0 ? nil : before
  }

  func install() {
    isInstalled.withLock { isInstalled in
      guard let place = unsafe UnsafeMutablePointer<UInt>(bitPattern: address) else { return }
      // If another library has replaced the function, leave that alone: it may call this one.
      guard unsafe place.pointee == 0 || !isInstalled else { return }
      before.store(unsafe place.pointee, ordering: .releasing)
      unsafe place.pointee = function()
      isInstalled = true
    }
  }
}
