import Testing

@testable import TestRuntime

@Suite("The running step")
struct RunningStepTests {
  private var all = Boundaries()

  /// A step of a task that has left an actor, which two tasks use, and yields.
  private mutating func leaveActorAndYield(_ task: UInt64) {
    let actor = all.visit(16, by: task)
    _ = all.visit(16, by: 0)
    var step = step(of: task)
    step.boundaries = [all.add(choice: 0, on: actor, leaves: true)]
    step.noteYield(of: task, &all)
    #expect(all.unnoticed == [0], "it may come back as if it had never left")
  }

  private func step(of task: UInt64) -> RunningStep {
    let work = ReadyEntries.Work.overtaken(OvertakenJob(RunningStep(), leaves: false))
    return RunningStep(
      ReadyEntries.Entry(work: work, task: task, number: 0, cause: .itself), job: 1, passed: 0)
  }

  @Test("a task that suspends after a yield stays away from the actor that it left before")
  mutating func suspension() {
    leaveActorAndYield(1)
    var step = step(of: 1)
    step.end(&all)
    #expect(all.unnoticed == [])
  }

  @Test("a yield isn't that of the next task on the same actor")
  mutating func nextTask() {
    leaveActorAndYield(1)
    var step = step(of: 2)
    let isFirst = step.begin(2, &all)
    #expect(!isFirst)
    step.noteYield(of: 2, &all)
    let endsAnother = step.begin(1, &all)
    #expect(endsAnother)
    step.end(&all)
    #expect(all.unnoticed == [])
  }

  @Test("a yield of a task that has started immediately isn't that of its creator")
  mutating func immediateTask() {
    leaveActorAndYield(1)
    var step = step(of: 1)
    step.beginImmediate(2)
    #expect(step.isImmediate(2))
    step.noteYield(of: 2, &all)
    step.endImmediate()
    step.end(&all)
    #expect(all.unnoticed == [])
  }
}
