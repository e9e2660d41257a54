import Synchronization

@testable import TestRuntime

/// Does what libraries do that run a test's tasks on the main actor.
enum OtherLibrary {
  private typealias Original = @convention(thin) (UnownedJob) -> Void
  private typealias Hook = @convention(thin) (UnownedJob, Original) -> Void

  /// The test that has replaced the hook last.
  private static let test = Mutex<ObjectIdentifier?>(nil)

  /// Leaves other tests and the rest of the process alone, because nothing removes it.
  private static let hook: Hook = { job, original in
    let current = RunningExecutors.shared.current.map { ObjectIdentifier($0) }
    if current != nil, current == test.withLock({ $0 }) { return MainActor.shared.enqueue(job) }
    if !RuntimeHooks.take(job) { original(job) }
  }

  static func replaceHook() {
    guard let place = symbolAddress("swift_task_enqueueGlobal_hook") else { return }
    test.withLock { test in
      test = RunningExecutors.shared.current.map { ObjectIdentifier($0) }
      // Sound: the runtime has an aligned word there, for a function of this type.
      unsafe UnsafeMutablePointer<UInt>(bitPattern: place)!.pointee =
        unsafe unsafeBitCast(hook, to: UInt.self)
    }
  }
}
