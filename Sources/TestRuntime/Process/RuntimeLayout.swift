/// The names, numbers and places that this package knows of Swift's runtime, and no contract covers.
///
/// Tests fake them.
struct RuntimeLayout: Sendable {
  /// Finds what the runtime has by a name.
  var address: @Sendable (String) -> UInt? = symbolAddress
  var replacesDefaultExecutor = DefaultExecutor.isInstalled

  /// The number that the runtime raises when what debuggers read of tasks and actors changes.
  var version: UInt32 = 1
  var wordSize = MemoryLayout<UInt>.size

  /// The kinds of jobs, a part of the ABI.
  var (task, actor, yield): (UInt, UInt, UInt) = (0, 193, 195)
  /// The word of an actor's job that is the actor: the first after the eight words of a job.
  var actorOfJob = 8
  /// The word of a task that begins with its flags: a task is a job, and then the runtime's own words.
  var flagsOfTask = 12
  /// The flag of a task whose lock a thread holds, and of one that is ready.
  var (locked, enqueued): (UInt, UInt) = (0x200, 0x1000)
  /// The words of a default actor that are the newest job of those that aren't sorted, and the first of the
  /// others.
  var (newestOfActor, firstOfActor) = (5, 8)

  static let known = RuntimeLayout()
}
