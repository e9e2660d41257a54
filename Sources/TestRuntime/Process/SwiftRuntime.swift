internal import Synchronization

// What Swift's runtime knows about jobs, and where it can be hooked. The standard library exposes
// little of that, and only as text. Tests use no other private entry points of the runtime.
//
// Each of them is sound with the signature that its declaration in the runtime's sources has. A runtime
// without one doesn't link, or leaves jobs outside; `SwiftRuntimeTests` or `StayingTests` fails if one differs.

@_silgen_name("swift_task_getJobTaskId")
private func jobTaskID(_ job: UnownedJob) -> UInt64

@_silgen_name("swift_task_getJobFlags")
private func jobFlags(_ job: UnownedJob) -> UInt

private typealias CurrentExecutor = @convention(thin) () -> UnownedSerialExecutor

/// The address of a function, which can't be declared here, because the compiler reserves its name.
private let currentExecutor = symbolAddress("swift_task_getCurrentExecutor")

// Sound: no executor, of an actor or of a task, is two words of zero.
extension UnownedSerialExecutor {
  /// The executor of code outside of actors.
  static var nonisolated: Self { unsafe unsafeBitCast((UInt(0), UInt(0)), to: Self.self) }
}

// Sound, as above.
extension UnownedTaskExecutor {
  /// The executor of tasks that prefer none.
  static var none: Self { unsafe unsafeBitCast((UInt(0), UInt(0)), to: Self.self) }
}

extension UnownedJob {
  /// The task at an address of an object; `nil` if another object is there.
  // Sound: all tasks have one type, which is the first word of an object.
  init?(taskAt address: UInt) {
    let type = unsafe UnsafePointer<UInt>(bitPattern: address)?.pointee
    guard let taskType, type == taskType else { return nil }
    self = unsafe unsafeBitCast(address, to: UnownedJob.self)
  }

  /// Whether the job's task was created with a preferred executor, its own or its parent's.
  var prefersExecutor: Bool { jobFlags(self) & (1 << 29) != 0 }

  /// The address of the default actor that the job runs; `nil` for other jobs.
  // Sound: the actor is the first word after the eight words of a job.
  var defaultActor: UInt? { jobFlags(self) & 0xFF == 193 ? word(at: 8) : nil }

  /// The task that runs first if the job runs those of a default actor; `nil` if that isn't known.
  // Sound: a job that isn't enqueued yet owns its actor. Of the actor's words, the sixth is the newest job of
  // those that aren't sorted, and the ninth is the first of those that are.
  var firstTaskOfActor: UInt64? {
    guard let actor = defaultActor, let words = unsafe UnsafePointer<UInt>(bitPattern: actor) else {
      return nil
    }
    return UnownedJob(taskAt: unsafe words[8] == 0 ? words[5] : words[8]).map(TaskID.of)
  }

  /// Whether a thread holds the lock of the job's task, as in a cancellation handler.
  var isLocked: Bool { flagsOfTask & 0x200 != 0 }

  /// Whether the job's task is ready to run.
  var isEnqueued: Bool { flagsOfTask & 0x1000 != 0 }

  // Sound: a task is a job, and then the runtime's own words, of which the fifth begins with its flags.
  private var flagsOfTask: UInt { JobKind(self) == .task ? word(at: 12) ?? 0 : 0 }

  // Without 64 bits, the words are at other places.
  private func word(at index: Int) -> UInt? {
    guard MemoryLayout<UInt>.size == 8 else { return nil }
    return unsafe UnsafePointer<UInt>(bitPattern: unsafeBitCast(self, to: UInt.self))?[index]
  }
}

/// The type of tasks, as the first word of an object.
// Sound: a `Task` is a reference to an object.
let taskType: UInt? = withExtendedLifetime(Task.detached {}) { task in
  unsafe UnsafePointer<UInt>(bitPattern: unsafeBitCast(task, to: UInt.self))?.pointee
}

/// The address of the default actor on which this thread runs; `nil` if there is none.
var currentDefaultActor: UInt? {
  guard let currentExecutor else { return nil }
  // Sound: a function without context is a pointer. An executor is the address of its object, and what
  // implements it, which is nothing for a default actor.
  let executor = unsafe unsafeBitCast(currentExecutor, to: CurrentExecutor.self)()
  let (object, implementation) = unsafe unsafeBitCast(executor, to: (UInt, UInt).self)
  return object == 0 || implementation != 0 ? nil : object
}

/// What a job does.
package enum JobKind: Sendable {
  /// Runs a task.
  case task
  /// Resumes a task that has yielded.
  case yield
  /// Runs the jobs of a default actor.
  case actor

  package init(_ job: UnownedJob) {
    // These numbers are a part of the ABI.
    self =
      switch jobFlags(job) & 0xFF {
      case 0: .task
      case 195: .yield
      default: .actor
      }
  }
}

/// Identifies tasks, among all that the process runs.
package enum TaskID {
  /// The task of a job; meaningless if the job belongs to an actor.
  package static func of(_ job: UnownedJob) -> UInt64 { jobTaskID(job) }

  /// The running task; 0 outside of tasks.
  package static var current: UInt64 {
    // Sound: the task runs this code. Both are one reference to a task, which is a job.
    unsafe withUnsafeCurrentTask { task in
      guard let task = unsafe task else { return 0 }
      return unsafe jobTaskID(unsafeBitCast(task, to: UnownedJob.self))
    }
  }

  package static var currentName: String? {
    if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) { Task.name } else { nil }
  }
}

/// Ends an actor's turn after the task that runs there, even if other tasks wait for the actor.
///
/// A job of a default actor runs all tasks that wait for the actor, one after the other. This actor
/// shares the other actor's executor. Because of its priority, its task runs before those that wait.
/// Then the task leaves, so the runtime enqueues another job for the others.
@safe actor TurnEnd {
  // Sound: the task runs before the actor's job ends, which retains the actor.
  nonisolated let unownedExecutor: UnownedSerialExecutor

  /// Shares the executor on which this thread runs; `nil` if that isn't a default actor's.
  private init?() {
    guard let actor = currentDefaultActor else { return nil }
    unsafe unownedExecutor = unsafeBitCast((actor, UInt(0)), to: UnownedSerialExecutor.self)
  }

  /// Above all priorities that tasks usually have.
  static let priority = JobPriority(rawValue: 33)

  /// Ends the turn of the actor on which this thread runs.
  ///
  /// - Parameters:
  ///   - willLeave: Called before the runtime enqueues another job for the actor.
  ///   - didLeave: Called afterwards.
  /// - Returns: Whether this thread runs on a default actor.
  static func schedule(
    willLeave: @escaping @Sendable () -> Void, didLeave: @escaping @Sendable () -> Void
  ) -> Bool {
    guard let actor = TurnEnd() else { return false }
    actor.assumeIsolated { actor in
      _ = Task(priority: TaskPriority(rawValue: Self.priority.rawValue)) {
        _ = actor
        willLeave()
        await leave(didLeave)
      }
    }
    return true
  }

  @concurrent @inline(never) private static func leave(_ didLeave: @Sendable () -> Void) async {
    didLeave()
  }
}

/// A place where the runtime looks for a function to call instead of its own.
// Sound: only aligned words are loaded and stored, while threads may call what was there before.
@safe final class Hook: Sendable {
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

  /// - Parameter onlyIfUnused: Whether to leave alone a function that is there.
  func install(onlyIfUnused: Bool = false) {
    isInstalled.withLock { isInstalled in
      guard let place = unsafe UnsafeMutablePointer<UInt>(bitPattern: address) else { return }
      // If another library has replaced the function, leave that alone: it may call this one.
      guard unsafe place.pointee == 0 || !isInstalled && !onlyIfUnused else { return }
      before.store(unsafe place.pointee, ordering: .releasing)
      unsafe place.pointee = function()
      isInstalled = true
    }
  }
}
