import Testing

@testable import TestRuntime

@Suite("The waits of a test")
struct WaitsTests {
  /// Counts jobs until a wait is given up.
  private func jobsUntilGivenUp(_ wait: Wait, of waits: inout Waits) -> Int {
    waits.idle.append((wait, waits.jobs))
    var (count, announced) = (0, 0)
    while true {
      if let hopeless = waits.takeHopeless(canRun: true) {
        #expect(hopeless === wait && waits.idle.isEmpty)
        #expect(announced == count - 1 - Waits.lastJobs)
        return count
      }
      waits.noteJob(ofBody: false)
      count += 1
      if waits.isAboutToGiveUp { announced = count }
    }
  }

  @Test("are given up while something keeps running, each later one sooner")
  func restless() {
    var waits = Waits()
    waits.mostReady = 10
    #expect(waits.restlessLimit == 50_200)
    #expect(jobsUntilGivenUp(Wait(), of: &waits) == 50_201)
    #expect(waits.jobsUntilProgress == waits.jobs)
    #expect(jobsUntilGivenUp(Wait(), of: &waits) == Waits.restLimit + 1)
  }

  @Test("make a schedule endless only if it makes no progress, or after many jobs")
  func endless() {
    var waits = Waits()
    for _ in 1..<waits.restlessLimit { waits.noteJob(ofBody: true) }
    #expect(!waits.isEndless)
    waits.noteJob(ofBody: true)
    #expect(waits.isEndless)
    waits.idle.append((Wait(), waits.jobs))
    #expect(!waits.isEndless)
    waits.idle = []
    waits.jobsUntilProgress = 1
    #expect(!waits.isEndless)
    while waits.jobs < 199_999 {
      waits.noteJob(ofBody: true)
      waits.jobsUntilProgress = waits.jobs
    }
    #expect(!waits.isEndless)
    waits.noteJob(ofBody: true)
    waits.jobsUntilProgress = waits.jobs
    #expect(waits.isEndless)
  }

  @Test("keep count of what a test does, which shows its silence")
  func activity() {
    var waits = Waits()
    for _ in 0..<3 { waits.noteJob(ofBody: false) }
    #expect((waits.activity, waits.jobs) == (3, 3))
  }

  @Test("let a hundred sleeps end after the end of the run, and no more")
  func lateSleeps() {
    var waits = Waits()
    let last = (0..<103).map { _ in waits.sleepsLate() }
    #expect(last == Array(repeating: false, count: 100) + [true, true, true])
  }

  @Test("end where time has moved a thousand times, if nothing can run")
  func onlyTime() async {
    var waits = Waits()
    func moveTime() async {
      let id = waits.sleepers.makeID()
      let deadline = waits.now + .seconds(1)
      _ = await WaitingTask.wait { task in
        waits.sleepers.insert(
          id, until: deadline,
          Waits.Sleep(task: SleepingTask(until: deadline), stack: nil, waitingTask: task))
        task.resume(returning: true)
      }
      // It's still asleep then, so time doesn't move again.
      let (isAsleep, moments, stays) = (waits.moveTime(), waits.moments, waits.moveTime())
      #expect(isAsleep && stays && waits.moments == moments && waits.now == deadline)
      _ = waits.sleepers.popFirst(through: deadline)
    }
    let isAnyAsleep = waits.moveTime()
    #expect(!isAnyAsleep)
    await moveTime()
    waits.noteJob(ofBody: true)
    let (first, second) = (Wait(), Wait())
    waits.limited.append((first, waits.moments))
    await moveTime()
    waits.limited.append((second, waits.moments))
    for _ in 2..<Waits.limitOfMoments { await moveTime() }
    let early = waits.takeHopeless(canRun: false)
    await moveTime()
    let whileRunning = waits.takeHopeless(canRun: true)
    #expect(early == nil && whileRunning == nil && !waits.onlyTimePasses)
    let hopeless = (waits.takeHopeless(canRun: false), waits.takeHopeless(canRun: false))
    #expect(hopeless.0 === first && hopeless.1 == nil)
    #expect(waits.onlyTimePasses && waits.limited.count == 1)
    waits.idle.append((Wait(), waits.jobs))
    let left = waits.removeAll()
    #expect(left.waits.count == 2 && left.waits.last === second && left.sleepers.isEmpty)
    #expect(waits.idle.isEmpty && waits.limited.isEmpty)
    #expect(!waits.bodyHasStopped)
    while waits.moments < 10 * Waits.limitOfMoments { await moveTime() }
    #expect(!waits.bodyHasStopped)
    await moveTime()
    #expect(waits.bodyHasStopped)
    waits.noteJob(ofBody: true)
    #expect(!waits.bodyHasStopped)
  }
}
