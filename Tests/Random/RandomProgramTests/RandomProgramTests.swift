import TestSupport
import Testing

@testable import ComposableDependencies

@Suite("Random programs", .tooLongUnderSanitizers, .serialized)
struct RandomProgramTests {
  @Test("every read follows the rules, in isolated stores")
  func isolatedStores() async {
    await check(usingProcessStore: false, workers: 2)
  }

  @Test("every read follows the rules, in the process's store")
  func processStore() async {
    // In a separate process, because no other test may use that store concurrently.
    let result = await #expect(
      processExitsWith: .success, observing: [\.standardOutputContent]
    ) {
      await check(usingProcessStore: true, workers: 1)
    }
    print(String(decoding: result?.standardOutputContent ?? [], as: UTF8.self))
  }

  @Test("programs without tasks leak no memory", .enabled(if: Allocations.areCounted))
  func memory() async {
    // In a separate process, because the key paths of other tests would be freed in between.
    await #expect(processExitsWith: .success) { checkMemory() }
  }
}

private func checkMemory() {
  let programs = (1...UInt64(1000)).lazy
    .map { seed in
      var choices = Choices(seed: seed)
      return Generator.program(&choices, canSuspend: false)
    }
    .filter { !$0.usesProcessStore && $0.staysOnItsThread }
  var count = 0
  for program in programs {
    count += 1
    // The runtime allocates beside it at times, and for a while in several runs, but not in all.
    let leaks = (0..<30).allSatisfy { _ in program.remainingBlocks() != 0 }
    #expect(!leaks, "\(program.text())")
  }
  #expect(count > 100)
}

private func check(usingProcessStore: Bool, workers: Int) async {
  let (coverage, programs, hasFailed) = await checkRandomPrograms(
    Program.self, workers: workers,
    where: { Generator.usesProcessStore(seed: $0) == usingProcessStore },
    covering: Operation.allCases.map(\.rawValue))
  if hasFailed { return }
  #expect(coverage["not judged"] * 20 <= programs || programs < 100, "programs without a meaning")
  #expect(await AliveCounter.environments.left() == 0, "environments are left")
  // Those that were made from defaults alone belong to the process's store.
  let instances = await SharedNumber.alive.left(atMost: SharedKeys.count)
  #expect(instances <= SharedKeys.count, "shared instances are left")
}

extension Program {
  /// Whether it stays on the thread on which it starts, where its allocations can be counted.
  fileprivate var staysOnItsThread: Bool {
    var stays = true
    forEachStep { step in
      switch step.operation {
      case .task, .detachedTask, .detachedTaskIn: stays = false
      default:
        stays = stays && !step.operation.isAsync
      }
    }
    return stays
  }

  /// The number of blocks that stay allocated when the program runs again.
  fileprivate func remainingBlocks() -> Int {
    let runner = Runner()
    func run() {
      _ = DependencyScope.isolated().run { runner.runCall(steps, RunState()) }
      PropertyKey.removeGone()
    }
    // What is made once in a process is made now, and so is room for it.
    run()
    run()
    return Allocations { run() }.remaining
  }
}
