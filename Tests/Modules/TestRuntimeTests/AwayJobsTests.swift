import Testing

@testable import TestRuntime

@Suite("The jobs that hold their threads")
struct AwayJobsTests {
  private var away = AwayJobs()

  /// Adds a job that has slept on this thread, which is awake now.
  private mutating func addSleeping(_ job: Int) {
    away.add(
      job, at: .executor, on: .current, sleep: WatchedThread.Sample(time: .zero, isAsleep: true))
  }

  private func name(_ sleep: AwayJobs.Sleep?) -> String? {
    switch sleep {
    case nil: nil
    case .lasts: "lasts"
    case .endedByLock(let stack): "ended by a lock at \(stack == nil ? "an unknown" : "a") place"
    case .wasShort: "was short"
    }
  }

  @Test("are awaited, until nothing waits for them any more, or until the last has come back")
  mutating func awaited() {
    #expect(!away.areAwaited)
    for job in 1...2 { away.add(job, at: .nonisolated, on: .current, sleep: nil) }
    let first = away.remove(1)
    #expect(first?.place == .nonisolated && name(first?.sleep) == nil)
    #expect(away.areAwaited)
    var ignoring = away
    let wereAwaited = (ignoring.ignore(), ignoring.ignore())
    #expect(wereAwaited == (true, false))
    #expect(!ignoring.areAwaited)
    let last = away.remove(2)
    #expect(last != nil && !away.areAwaited)
    let none = away.remove(2)
    #expect(none == nil)
  }

  @Test("that don't sleep any more say so once, and which overtaken job went on before")
  mutating func sleep() {
    addSleeping(1)
    var sleeps = [name(away.checkSleep()), name(away.checkSleep())]
    addSleeping(2)
    away.suspect(nil)
    sleeps.append(name(away.checkSleep()))
    // The next one has no suspect.
    addSleeping(3)
    sleeps += [name(away.remove(3)?.sleep), name(away.remove(2)?.sleep)]
    #expect(sleeps == ["was short", nil, "ended by a lock at an unknown place", "was short", nil])
  }

  @Test("wait for no overtaken job once all have gone on")
  mutating func suspects() {
    addSleeping(1)
    away.suspect(nil)
    away.clearSuspects()
    var sleeps = [name(away.checkSleep())]
    addSleeping(2)
    sleeps.append(name(away.checkSleep()))
    #expect(sleeps == [nil, "was short"])
  }
}
