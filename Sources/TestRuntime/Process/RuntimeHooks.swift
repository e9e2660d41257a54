internal import ComposableDependencies
internal import Synchronization

/// What learns of the process's tasks.
protocol RuntimeListener: Sendable {
  /// Takes a job that has no executor of its own, if it belongs to a test.
  func take(_ job: UnownedJob) -> Bool

  /// What takes the place of the main actor's executor for the code on this thread, and is never freed.
  var mainExecutor: UnownedSerialExecutor? { get }

  /// Called with an object that this thread is about to let go: an actor, a task or another one.
  func willRelease(_ address: UInt)

  /// Called with an object that this thread is about to use: an actor, a job or another one.
  func willAcquire(_ address: UInt)
}

/// Passes the jobs of unstructured tasks and of the main actor to the tests that they belong to.
///
/// No public API reports that a task was created. But the runtime calls one hook with each job that
/// has no executor of its own, and another one when it looks up the main actor's executor. Two more are
/// meant for ThreadSanitizer. ``RuntimeSight`` knows which of them it calls.
enum RuntimeHooks {
  private static let listener = AtomicLazyReference<Listener>()
  /// What probes the runtime on this thread, instead of listening to it.
  private static let probe = ThreadLocal<RuntimeProbe>()
  /// Marks that this thread is calling what was there before.
  private static let passing = ThreadWord()

  private final class Listener: Sendable {
    let listener: any RuntimeListener

    init(_ listener: any RuntimeListener) { self.listener = listener }
  }

  /// What is called on this thread.
  fileprivate static var current: (any RuntimeListener)? {
    if RuntimeProbe.isRunning, let probe = probe.value { return probe }
    return listener.load()?.listener
  }

  /// Reports to a listener from now on.
  ///
  /// Another library may have replaced a hook since the last call, and may never put it back. So this one calls
  /// that of the other library, rather than the reverse.
  static func install(for listener: any RuntimeListener) {
    _ = RuntimeSight.ofProcess
    if self.listener.load() == nil {
      // The runtime also calls these under its own locks, where nothing may be initialized.
      _ = (TaskID.current, currentDefaultActor, taskType, areReplaced)
      listener.willRelease(0)
      listener.willAcquire(0)
      _ = self.listener.storeIfNil(Listener(listener))
    }
    install()
  }

  /// Whether a hook that tests need is another library's, or was removed.
  static var areReplaced: Bool {
    mainExecutor?.isInstalled == false
      || jobs.map { !$0.isInstalled && !(DefaultExecutor.isInstalled && $0.isFree) } == true
  }

  /// Installs the hooks for jobs and for the main actor.
  static func install() {
    // A default executor of this package sees the same jobs, unless another library's hook takes them.
    if let jobs, !(DefaultExecutor.isInstalled && jobs.isFree) { jobs.install() }
    mainExecutor?.install()
  }

  /// Installs the hooks that are meant for ThreadSanitizer, unless it uses them.
  static func installForTurns() {
    // The runtime also calls them under its own locks, where nothing may be initialized.
    _ = (
      currentDefaultActor, TaskID.current, taskType, probe.value, RuntimeProbe.isRunning,
      listener.load()
    )
    for hook in [release, acquire] where hook?.isFree == true { hook?.install() }
  }

  /// Removes these again.
  static func removeForTurns() {
    release?.remove()
    acquire?.remove()
  }

  /// Calls a function on this thread, during which a probe is called instead of the listener.
  static func with(_ probe: RuntimeProbe, _ function: () -> Void) {
    self.probe.value = probe
    defer { self.probe.value = nil }
    function()
  }

  static func take(_ job: UnownedJob) -> Bool { current?.take(job) ?? false }

  static let jobs = Hook(
    "swift_task_enqueueGlobal_hook",
    // Sound: a function without context is a pointer.
    unsafe unsafeBitCast(enqueue, to: UInt.self))
  static let mainExecutor = Hook(
    "swift_task_getMainExecutor_hook",
    unsafe unsafeBitCast(getMainExecutor, to: UInt.self))
  /// What the runtime calls for ThreadSanitizer, with an actor that a thread is about to let go.
  static let release = Hook(
    "_swift_tsan_release",
    // Sound, as above.
    unsafe unsafeBitCast(releasing, to: UInt.self))
  /// What the runtime calls for ThreadSanitizer, with a job that a thread is about to run, or another object.
  static let acquire = Hook(
    "_swift_tsan_acquire",
    // Sound, as above.
    unsafe unsafeBitCast(acquiring, to: UInt.self))

  fileprivate static func pass(_ job: UnownedJob, _ original: Enqueue) {
    // Another library's hook may call this one, which it has replaced before.
    guard let previous = jobs?.previous, passing.value == 0 else { return original(job) }
    passing.value = 1
    defer { passing.value = 0 }
    // Sound: what was there before this hook has its type.
    unsafe unsafeBitCast(previous, to: EnqueueHook.self)(job, original)
  }
}

private typealias Enqueue = @convention(thin) (UnownedJob) -> Void
private typealias EnqueueHook = @convention(thin) (UnownedJob, Enqueue) -> Void

private let enqueue: EnqueueHook = { job, original in
  if !RuntimeHooks.take(job) { RuntimeHooks.pass(job, original) }
}

private typealias GetExecutor = @convention(thin) () -> UnownedSerialExecutor
private typealias GetExecutorHook = @convention(thin) (GetExecutor) -> UnownedSerialExecutor

private let getMainExecutor: GetExecutorHook = { original in
  // Sound: a listener's executor is never freed, and what was there before this hook has its type.
  if let executor = unsafe RuntimeHooks.current?.mainExecutor { return unsafe executor }
  guard let previous = RuntimeHooks.mainExecutor?.previous else { return unsafe original() }
  return unsafe unsafeBitCast(previous, to: GetExecutorHook.self)(original)
}

private typealias AddressHook = @convention(thin) (UInt) -> Void

private let releasing: AddressHook = { RuntimeHooks.current?.willRelease($0) }
private let acquiring: AddressHook = { RuntimeHooks.current?.willAcquire($0) }
