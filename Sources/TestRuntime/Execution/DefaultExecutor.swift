// All that is unsafe in this file is sound for what the runtime has at these places, and a test fails if it
// changes. What implements `TaskExecutor` are a descriptor, what implements `Executor`, and three functions
// `enqueue`, each of which takes a job first. What implements `Executor` are a descriptor and the same
// functions. The runtime calls the two functions of a factory of executors, which come after a word that it
// doesn't use. The executor stays the same object, so a thread that uses it meanwhile calls the original or
// the replaced functions.

/// The executor of jobs that have none of their own, which passes them to tests.
///
/// A task that yields after it has left an actor passes its job to this executor directly, and not to
/// `swift_task_enqueueGlobal_hook`.
enum DefaultExecutor {
  /// The executor as it was, which runs the jobs that belong to no test.
  private static let original = ExecutorReference(executor: globalConcurrentExecutor)
  private static let isInstalled = install()
  fileprivate static let mainExecutor = symbolAddress("$sScM8executors12MainExecutor_pvgZ") ?? 0
  /// What implements the executor: a copy of the original, but for its functions `enqueue`.
  // Nothing writes it after `install`.
  nonisolated(unsafe) private static let (executor, taskExecutor) = (
    UnsafeMutablePointer<UInt>.allocate(capacity: size),
    UnsafeMutablePointer<UInt>.allocate(capacity: size)
  )
  /// At least as many words as implement an executor.
  private static let size = 10

  fileprivate static func enqueue(_ job: UnownedJob) {
    if !RunningExecutors.shared.take(job) { original.executor.enqueue(job) }
  }

  /// Passes jobs to tests from now on, where the runtime lets executors be replaced.
  static func installOnce() { _ = isInstalled }

  private static func install() -> Bool {
    guard let createExecutors = symbolAddress("swift_createExecutors"), mainExecutor != 0 else {
      return false
    }
    let (_, implementation) = unsafe unsafeBitCast(original, to: (UInt, UInt).self)
    let task = unsafe UnsafePointer<UInt>(bitPattern: implementation)!
    unsafe taskExecutor.initialize(from: task, count: size)
    unsafe executor.initialize(from: UnsafePointer<UInt>(bitPattern: task[1])!, count: size)
    unsafe taskExecutor[1] = UInt(bitPattern: executor)
    let enqueue = unsafe unsafeBitCast(enqueueByDefault, to: UInt.self)
    for function in 1...3 {
      unsafe executor[function] = enqueue
      unsafe taskExecutor[function + 1] = enqueue
    }
    let factory = unsafe [
      0, unsafeBitCast(getMainExecutorOfProcess, to: UInt.self),
      unsafeBitCast(getDefaultExecutor, to: UInt.self),
    ]
    unsafe factory.withUnsafeBufferPointer { factory in
      unsafe unsafeBitCast(createExecutors, to: CreateExecutors.self)(0, 0, factory.baseAddress!)
    }
    return true
  }

  /// The object of the executor, retained, and what implements it.
  fileprivate static var replaced: (UInt, UInt) {
    _ = unsafe Unmanaged.passRetained(original.executor as AnyObject)
    let (object, _) = unsafe unsafeBitCast(original, to: (UInt, UInt).self)
    return unsafe (object, UInt(bitPattern: taskExecutor))
  }
}

private typealias CreateExecutors = @convention(thin) (UInt, UInt, UnsafePointer<UInt>) -> Void
/// Returns an object and what implements it, retained.
private typealias GetExecutorOfProcess = @convention(thin) () -> (UInt, UInt)

/// An executor, as a value whose size doesn't depend on what the runtime knows of the protocol.
private struct ExecutorReference {
  let executor: any TaskExecutor
}

// Sound: functions without context are pointers.
private let enqueueByDefault: @convention(thin) (UnownedJob) -> Void = {
  DefaultExecutor.enqueue($0)
}
private let getDefaultExecutor: GetExecutorOfProcess = { DefaultExecutor.replaced }
private let getMainExecutorOfProcess: GetExecutorOfProcess = {
  unsafe unsafeBitCast(DefaultExecutor.mainExecutor, to: GetExecutorOfProcess.self)()
}
