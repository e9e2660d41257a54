// What Swift's runtime knows about jobs. The standard library exposes little of that, and only as text. All that
// is private of the runtime is used in this folder, and `RuntimeSight` probes it before anything rests on it.
//
// Each function is sound with the signature that its declaration in the runtime's sources has.

@_silgen_name("swift_task_getJobTaskId")
func jobTaskID(_ job: UnownedJob) -> UInt64

@_silgen_name("swift_task_getJobFlags")
func jobFlags(_ job: UnownedJob) -> UInt

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
  var defaultActor: UInt? { RuntimeSight.seesWords ? defaultActor(.known) : nil }

  /// The task that runs first if the job runs those of a default actor; `nil` if that isn't known.
  var firstTaskOfActor: UInt64? {
    guard RuntimeSight.seesWords, let first = firstJobOfActor(.known) else { return nil }
    return UnownedJob(taskAt: first).map(TaskID.of)
  }

  /// Whether a thread holds the lock of the job's task, as in a cancellation handler.
  var isLocked: Bool { RuntimeSight.seesWords && isLocked(.known) }

  /// Whether the job's task is ready to run.
  var isEnqueued: Bool { RuntimeSight.seesWords && isEnqueued(.known) }
}

/// What the words of the runtime's objects say.
// Sound: the words are where `RuntimeLayout` says, as far as the runtime's version is known, and `RuntimeProbe`
// has compared them with what they must be.
extension UnownedJob {
  func defaultActor(_ layout: RuntimeLayout) -> UInt? {
    jobFlags(self) & 0xFF == layout.actor ? word(at: layout.actorOfJob) : nil
  }

  /// The address of the job that runs first if this one runs those of a default actor.
  func firstJobOfActor(_ layout: RuntimeLayout) -> UInt? {
    // A job that isn't enqueued yet owns its actor.
    guard let actor = defaultActor(layout),
      let words = unsafe UnsafePointer<UInt>(bitPattern: actor)
    else { return nil }
    let (newest, first) = unsafe (words[layout.newestOfActor], words[layout.firstOfActor])
    return first == 0 ? newest : first
  }

  func isLocked(_ layout: RuntimeLayout) -> Bool { flagsOfTask(layout) & layout.locked != 0 }

  func isEnqueued(_ layout: RuntimeLayout) -> Bool { flagsOfTask(layout) & layout.enqueued != 0 }

  private func flagsOfTask(_ layout: RuntimeLayout) -> UInt {
    jobFlags(self) & 0xFF == layout.task ? word(at: layout.flagsOfTask) : 0
  }

  private func word(at index: Int) -> UInt {
    unsafe UnsafePointer<UInt>(bitPattern: address)![index]
  }

  /// The address of the job, which is that of its task, if it has one.
  var address: UInt { unsafe unsafeBitCast(self, to: UInt.self) }
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
