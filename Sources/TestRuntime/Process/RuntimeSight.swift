internal import Synchronization

/// What a test can learn of its tasks from the runtime that runs it.
///
/// What isn't seen is neither used nor claimed.
package struct RuntimeSight: Sendable, Equatable {
  /// Why something isn't seen.
  package struct Cause: Sendable, Equatable {
    package let text: String
    let remedy: String
  }

  /// Whether tests see the tasks that `Task {}` starts.
  package private(set) var unstructuredTasks = false
  package private(set) var mainActor = false
  /// Whether tests see a task that yields after it has left an actor.
  package private(set) var yields = false
  /// Whether tests see when a task enters and leaves an actor.
  package private(set) var actorTurns = false
  /// Whether the words of the runtime's objects are where this package reads them.
  package private(set) var words = false
  package private(set) var causes: [Cause] = []

  /// What the runtime of this process shows.
  package static let ofProcess = {
    RuntimeHooks.install()
    RuntimeHooks.installForTurns()
    let sight = RuntimeSight(.known)
    areWordsSeen.store(sight.words, ordering: .relaxed)
    if !sight.actorTurns { RuntimeHooks.removeForTurns() }
    return sight
  }()

  /// Sees nothing, like a test without a trait.
  package init() {}

  private static let areWordsSeen = Atomic(false)

  /// Whether `words` is known to be true of this process.
  static var seesWords: Bool { areWordsSeen.load(ordering: .relaxed) }

  /// Sees what a runtime shows, which a test may fake.
  init(_ layout: RuntimeLayout) {
    let isKnown = layout.isKnown
    let facts = RuntimeProbe(layout, readingWords: isKnown).look()
    words =
      isKnown
      && facts.isSuperset(of: [
        .running, .waiting, .actorOfJob, .firstTask, .firstSortedTask, .locked, .unlocked,
      ])
    unstructuredTasks =
      facts.contains(.job) && (layout.has(RuntimeHooks.jobs) || layout.replacesDefaultExecutor)
    mainActor = facts.contains(.mainExecutor) && layout.has(RuntimeHooks.mainExecutor)
    // If it is replaced, the default executor shows them, and otherwise the hook.
    yields =
      unstructuredTasks && facts.contains(.yield)
      && layout.replacesDefaultExecutor == DefaultExecutor.isInstalled
    actorTurns =
      words && facts.isSuperset(of: [.actor, .left, .release, .acquire])
      && layout.address("swift_task_getCurrentExecutor") != nil
      && layout.has(RuntimeHooks.release) && layout.has(RuntimeHooks.acquire)
    if !isWhole { causes = causes(layout) }
  }
}

/// What isn't seen, and why.
extension RuntimeSight {
  package var isWhole: Bool { unstructuredTasks && mainActor && yields && actorTurns }

  /// Says what the runtime doesn't show, and why; `nil` if it shows all.
  package var gap: String? {
    if isWhole { return nil }
    let reasons = causes.map(\.text).joined(separator: "; ")
    return "this runtime doesn't show \(missing)\(reasons.isEmpty ? "" : " (\(reasons))")"
  }

  /// Says what to do; `nil` if the runtime shows all.
  package var remedy: String? { causes.first?.remedy }

  /// Warns of what isn't seen; `nil` if everything is.
  package var warning: String? {
    guard let gap, let remedy else { return nil }
    let isExplored = "no exploration runs all orders"
    let consequence =
      unstructuredTasks && mainActor && yields
      ? isExplored : "`settle()` doesn't wait for them, and \(isExplored)"
    return """
      In this process, \(gap), so \(consequence).
        Instead: \(remedy)
      """
  }

  private var missing: String {
    let missing = [
      (unstructuredTasks, "the tasks that `Task {}` starts"), (mainActor, "the main actor's tasks"),
      (yields, "tasks that yield"), (actorTurns, "when tasks enter and leave actors"),
    ].filter { !$0.0 }.map(\.1)
    guard missing.count > 1 else { return missing[0] }
    return missing.dropLast().joined(separator: ", ") + " and " + missing.last!
  }

  private func causes(_ layout: RuntimeLayout) -> [Cause] {
    if layout.isStatic { return [.staticLibrary] }
    var causes: [Cause] = []
    if !actorTurns {
      let isInUse = [RuntimeHooks.release, RuntimeHooks.acquire].contains { layout.isInUse($0) }
      causes.append(
        layout.wordSize != 8
          ? .shortWords : layout.isSanitized ? .threadSanitizer : isInUse ? .otherLibrary : .version
      )
    }
    if !unstructuredTasks || !mainActor, !causes.contains(.version) { causes.append(.version) }
    if !yields, causes.isEmpty {
      causes.append(layout.replacesDefaultExecutor ? .version : .defaultExecutor)
    }
    return causes
  }
}

extension RuntimeSight.Cause {
  static let threadSanitizer = Self(
    text: "ThreadSanitizer is on", remedy: "run the tests without `--sanitize=thread`, too.")
  static let staticLibrary = Self(
    text: "the standard library is linked statically",
    remedy: "link it dynamically, without `-static-stdlib`.")
  static let version = Self(
    text: "this package doesn't know this version of Swift's runtime",
    remedy: "update this package, or run the tests with Swift 6.3 on Linux, too.")
  static let defaultExecutor = Self(
    text: "only Swift 6.3 on Linux lets a test replace the default executor",
    remedy: "run the tests there, too.")
  static let otherLibrary = Self(
    text: "another library uses the runtime's hooks for ThreadSanitizer",
    remedy: "run these tests without that library.")
  static let shortWords = Self(
    text: "the processor doesn't have 64 bits", remedy: "run the tests on one that does, too.")
}

extension RuntimeLayout {
  /// Whether the runtime has a hook that is this package's.
  fileprivate func has(_ hook: Hook?) -> Bool {
    guard let hook else { return false }
    return address(hook.name) == hook.place && (hook.isInstalled || hook === RuntimeHooks.jobs)
  }

  /// Whether a hook is another library's.
  fileprivate func isInUse(_ hook: Hook?) -> Bool {
    guard let hook, let place = address(hook.name) else { return false }
    // Sound: the runtime has an aligned word there.
    return place == hook.place
      ? !hook.isInstalled && !hook.isFree
      : unsafe UnsafePointer<UInt>(bitPattern: place)!.pointee != 0
  }

  fileprivate var isSanitized: Bool { address("__tsan_acquire") != nil }

  /// Whether none of the runtime's names is found.
  fileprivate var isStatic: Bool {
    [
      "swift_task_getCurrentExecutor", "swift_task_enqueueGlobal_hook",
      "swift_task_getMainExecutor_hook",
    ]
    .allSatisfy { address($0) == nil }
  }

  /// Whether objects have the words that this package knows, as far as the runtime says.
  fileprivate var isKnown: Bool {
    guard wordSize == 8, let version = address("_swift_concurrency_debug_internal_layout_version"),
      let metadata = address("_swift_concurrency_debug_asyncTaskMetadata"),
      let size = address("_swift_concurrency_debug_asyncTaskSize")
    else { return false }
    // Sound: the runtime exports these variables for debuggers.
    return unsafe UnsafePointer<UInt32>(bitPattern: version)!.pointee == self.version
      && UnsafePointer<UInt>(bitPattern: metadata)!.pointee == taskType
      && UnsafePointer<UInt>(bitPattern: size)!.pointee > UInt(8 * flagsOfTask)
  }
}
