import Synchronization
import TestSupport
import Testing

@testable import ComposableTesting
@testable import ScheduleExploring
@testable import TestRuntime

private actor Numbers {
  private var last = 0

  func next() -> Int {
    last += 1
    return last
  }
}

/// A runtime that differs from the known one in one place.
struct OtherRuntime: Sendable, CustomTestStringConvertible {
  let testDescription: String
  /// What it doesn't show, and why.
  let gap: String
  let schedules: Int
  /// `nil` if tasks run in no order.
  let histories: Int?
  var change: @Sendable (inout RuntimeLayout) -> Void

  init(
    _ name: String, _ gap: String, _ schedules: Int = 7, _ histories: Int? = 4,
    _ change: @escaping @Sendable (inout RuntimeLayout) -> Void
  ) {
    (testDescription, self.gap, self.schedules, self.histories, self.change) = (
      name, gap, schedules, histories, change
    )
  }

  var sight: RuntimeSight {
    var layout = RuntimeLayout()
    change(&layout)
    return RuntimeSight(layout)
  }

  private static let turns = "this runtime doesn't show when tasks enter and leave actors"
  private static let unknown = "this package doesn't know this version of Swift's runtime"

  static let all = [
    Self("ThreadSanitizer", "\(turns) (ThreadSanitizer is on)", 16, 10) { layout in
      layout.address = {
        $0.hasPrefix("_swift_tsan") || $0.hasPrefix("__tsan") ? inUse : symbolAddress($0)
      }
    },
    Self(
      "another library", "\(turns) (another library uses the runtime's hooks for ThreadSanitizer)",
      16, 10
    ) { layout in
      layout.address = {
        $0.hasPrefix("_swift_tsan") ? inUse : $0.hasPrefix("__tsan") ? nil : symbolAddress($0)
      }
    },
    Self("no current executor", "\(turns) (\(unknown))", 16, 10) {
      $0.hide("swift_task_getCurrentExecutor")
    },
    Self("32 bits", "\(turns) (the processor doesn't have 64 bits)") { $0.wordSize = 4 },
    Self("a newer layout", "\(turns) (\(unknown))") { $0.version = 2 },
    Self("an older layout", "\(turns) (\(unknown))") {
      $0.hide("_swift_concurrency_debug_internal_layout_version")
    },
    Self("an actor in another word", "\(turns) (\(unknown))") { $0.actorOfJob = 7 },
    Self("an actor's jobs in another word", "\(turns) (\(unknown))") { $0.newestOfActor = 4 },
    Self("an actor's sorted jobs in another word", "\(turns) (\(unknown))") { $0.firstOfActor = 9 },
    Self("another kind of an actor's job", "\(turns) (\(unknown))") { $0.actor = 194 },
    Self("flags in an earlier word", "\(turns) (\(unknown))") { $0.flagsOfTask = 11 },
    Self("flags in a later word", "\(turns) (\(unknown))") { $0.flagsOfTask = 13 },
    Self("another flag of ready tasks", "\(turns) (\(unknown))") { $0.enqueued = 0x800 },
    Self("another flag of locked tasks", "\(turns) (\(unknown))") { $0.locked = 0x400 },
    Self(
      "Swift 6.2",
      """
      this runtime doesn't show tasks that yield (only Swift 6.3 on Linux lets a test replace the default \
      executor)
      """, 101, 18
    ) { $0.replacesDefaultExecutor.toggle() },
    Self(
      "no hook for the main actor", "this runtime doesn't show the main actor's tasks (\(unknown))",
      101, 18
    ) {
      $0.hide("swift_task_getMainExecutor_hook")
    },
    Self(
      "a static library",
      """
      this runtime doesn't show the tasks that `Task {}` starts, the main actor's tasks, tasks that yield and when \
      tasks enter and leave actors (the standard library is linked statically)
      """, 1, nil
    ) { layout in
      layout.address = { _ in nil }
      layout.replacesDefaultExecutor = false
    },
  ]

  // Sound: it's never written or freed.
  private static let inUse = {
    let place = UnsafeMutablePointer<UInt>.allocate(capacity: 1)
    unsafe place.initialize(to: 1)
    return UInt(bitPattern: place)
  }()
}

extension RuntimeLayout {
  fileprivate mutating func hide(_ name: String) {
    address = { $0 == name ? nil : symbolAddress($0) }
  }
}

@Suite("What the runtime shows", .serialized)
struct RuntimeSightTests {
  /// Two tasks take a number from an actor twice, and note it outside of the actor.
  private func explore(
    _ sight: RuntimeSight, priority: TaskPriority? = nil
  ) async -> (Exploration?, histories: Int) {
    let histories = Mutex<Set<String>>([])
    let runner = ScheduleRunner([], timeout: .milliseconds(50), sight: sight) {
      let (numbers, notes) = (Numbers(), Shared(""))
      let tasks = ["a", "b"].map { name in
        Task(priority: priority) {
          for _ in 0..<2 {
            let number = await numbers.next()
            notes.update { $0 += "\(name)\(number) " }
          }
        }
      }
      for task in tasks { await task.value }
      histories.withLock { _ = $0.insert(notes.value) }
    }
    let outcome = await runner.search(1_000)
    return (outcome.exploration, histories.withLock { $0.count })
  }

  // Without it, a mistake in the probe would leave out the tests that need what it finds.
  @Test(
    "all of it, where the default executor is replaced and ThreadSanitizer is off",
    .enabled(if: DefaultExecutor.isInstalled && symbolAddress("__tsan_acquire") == nil))
  func known() { #expect(RuntimeSight.ofProcess.gap == nil) }

  @Test(
    "rule 37: all of it, in a runtime of a known version",
    .enabled(if: RuntimeSight.ofProcess.isWhole))
  func whole() async {
    #expect(RuntimeSight.ofProcess.gap == nil && RuntimeSight.ofProcess.warning == nil)
    let (exploration, histories) = await explore(.ofProcess)
    #expect(exploration?.isExhaustive == true && exploration?.schedules == 101 && histories == 18)
  }

  @Test("rule 37: what this process sees is all, or an exploration says what is missing")
  func honest() async throws {
    let (result, histories) = await explore(.ofProcess)
    let exploration = try #require(result)
    #expect(RuntimeSight.ofProcess.isWhole || !exploration.isExhaustive)
    #expect(histories == 18 || "\(exploration)".contains("this runtime doesn't show"))
  }

  @Test(
    "rule 37: without a claim, where tasks have the priority of what ends their turns",
    .enabled(if: RuntimeSight.ofProcess.isWhole))
  func highestPriority() async {
    let (exploration, histories) = await explore(.ofProcess, priority: TaskPriority(rawValue: 33))
    #expect(exploration?.isExhaustive == false && histories == 18)
  }

  @Test(
    "rule 37: without a claim, where an assumption doesn't hold",
    .enabled(if: RuntimeSight.ofProcess.isWhole), arguments: OtherRuntime.all)
  func others(_ runtime: OtherRuntime) async throws {
    let sight = runtime.sight
    #expect(sight.gap == runtime.gap)
    let warning = try #require(sight.warning)
    #expect(warning.contains(runtime.gap) && warning.contains("\n  Instead: "))
    let (result, histories) = await explore(sight)
    let exploration = try #require(result)
    #expect(
      !exploration.isExhaustive && "\(exploration)".hasSuffix("; \(runtime.gap)"), "\(exploration)")
    #expect(
      !"\(exploration)".contains("all ") && !"\(exploration)".contains("the only"), "\(exploration)"
    )
    #expect(exploration.schedules == runtime.schedules, "\(exploration)")
    #expect(runtime.histories == nil || histories == runtime.histories)
  }

  @Test("a report accuses no test where something isn't seen")
  func report() {
    let result = ScheduleResult(
      schedule: .plain, record: ChoiceRecord(), ending: .returned,
      issues: [RunFailure(kind: "Issue recorded", place: "")], trace: nil)
    let failure = ScheduleFailure(number: 1, found: result, shown: result, doubt: .again(result))
    let sight = OtherRuntime.all[0].sight
    let report = ScheduleReport(
      failure: failure, schedules: 1, seed: 0, form: .trait, timeout: .zero, sight: sight)
    #expect(report.text.contains(sight.gap!) && report.text.contains(sight.remedy!))
    #expect(!report.text.contains("Int.random") && !report.text.contains("Nothing left"))
  }

  @Test(
    "`settle()` says what isn't seen",
    arguments: OtherRuntime.all.filter { !$0.sight.unstructuredTasks })
  func settling(_ runtime: OtherRuntime) async {
    let order = JobOrder(isWhole: true, sight: runtime.sight)
    let run = TestRun(order: order, root: 0)
    await withKnownIssue {
      await DependencyScope.current.with { $0.testRun = run }.run { await settle() }
    } matching: { issue in
      "\(issue)".contains("because \(runtime.gap).\n  Instead: link it dynamically")
    }
  }
}

private typealias Original = @convention(thin) (UnownedJob) -> Void
private typealias HookFunction = @convention(thin) (UnownedJob, Original) -> Void

// Sound: what libraries do that run tests on one thread, with the runtime's types.
private let onMainThread: HookFunction = { job, _ in MainActor.shared.enqueue(job) }
/// What was there before ``callingPrevious``.
private let saved = Atomic<UInt>(0)
private let callingPrevious: HookFunction = { job, original in
  let before = saved.load(ordering: .relaxed)
  if before == 0 { return original(job) }
  unsafe unsafeBitCast(before, to: HookFunction.self)(job, original)
}

// In processes of their own, because a hook takes the tasks of all tests that run meanwhile.
@Suite(
  "Another library's hook",
  .enabled(if: symbolAddress("swift_task_enqueueGlobal_hook") != nil))
struct OtherHookTests {
  private static var place: UnsafeMutablePointer<UInt> {
    unsafe UnsafeMutablePointer(bitPattern: symbolAddress("swift_task_enqueueGlobal_hook")!)!
  }

  /// Puts a hook as other libraries do, which leave it if another one was there.
  private static func with(_ hook: HookFunction, _ operation: () async -> Void) async {
    let before = unsafe place.pointee
    saved.store(before, ordering: .relaxed)
    unsafe place.pointee = unsafe unsafeBitCast(hook, to: UInt.self)
    await operation()
    if before == 0 { unsafe place.pointee = 0 }
  }

  private static func explored(inside hook: HookFunction? = nil) async -> Exploration? {
    let runner = ScheduleRunner([]) {
      let log = Shared("")
      func run() async {
        let first = Task {
          log.update { $0 += "a" }
          await Task.yield()
          log.update { $0 += "b" }
        }
        let second = Task { log.update { $0 += "c" } }
        await first.value
        await second.value
      }
      if let hook { await with(hook) { await run() } } else { await run() }
    }
    return await runner.search(1_000).exploration
  }

  @Test(
    "rule 37: an exploration runs the same orders after it, beside it and around it",
    .needsWholeSight)
  func orders() async {
    await #expect(processExitsWith: .success) {
      let all = await Self.explored()
      #expect(all?.isExhaustive == RuntimeSight.ofProcess.isWhole)
      await Self.with(onMainThread) { await Task.yield() }
      #expect(await Self.explored() == all)
      // A library that never removes it.
      unsafe Self.place.pointee = unsafe unsafeBitCast(onMainThread, to: UInt.self)
      #expect(await Self.explored() == all)
      unsafe Self.place.pointee = 0
      await Self.with(onMainThread) { #expect(await Self.explored() == all) }
      #expect(await Self.explored(inside: onMainThread) == all)
      #expect(await Self.explored() == all)
    }
  }

  @Test("a hook that calls the one before it doesn't recurse endlessly")
  func circle() async {
    await #expect(processExitsWith: .success) {
      RuntimeHooks.jobs?.install()
      await Self.with(callingPrevious) {
        RuntimeHooks.jobs?.install()
        await Task.detached { await Task.yield() }.value
      }
    }
  }
}
