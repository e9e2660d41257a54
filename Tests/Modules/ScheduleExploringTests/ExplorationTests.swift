import Testing

@testable import ScheduleExploring

@Suite("What an exploration says it ran")
struct ExplorationTests {
  @Test("claims all orders only if it ran them and the runtime shows all of them")
  func claims() {
    var all = Exploration(schedules: 1_680, choices: 9, ranAll: true)
    #expect(all.isExhaustive)
    #expect("\(all)" == "all 1,680 orders of its tasks' steps, with at most 9 choices")
    all.hasCalls = true
    #expect(
      "\(all)" == "all 1,680 orders of its tasks' steps and failing calls, with at most 9 choices")
    all.gap = "there are others"
    #expect(!all.isExhaustive)
    #expect(
      "\(all)" == """
        1,680 orders of its tasks' steps and failing calls, with at most 9 choices; there are others
        """)
    var one = Exploration(schedules: 1, ranAll: true)
    #expect(one.isExhaustive && "\(one)" == "the only order of its tasks' steps")
    one.gap = "there are others"
    #expect(!one.isExhaustive && "\(one)" == "1 order of its tasks' steps; there are others")
    let some = Exploration(
      schedules: 60, choices: 12, randomSchedules: 20, switches: 1, hasCalls: true)
    #expect(!some.isExhaustive)
    #expect(
      "\(some)" == """
        60 schedules with at most 12 choices: every order with at most 1 switch or failure, and 20 \
        random ones
        """)
    let plain = Exploration(schedules: 21, choices: 1, randomSchedules: 20)
    #expect("\(plain)" == "21 schedules with at most 1 choice: the plain order, and 20 random ones")
  }

  @Test("claims nothing after a failure, if tasks left, or if runs differ")
  func noClaims() {
    #expect("\(Exploration(schedules: 1))" == "1 schedule")
    #expect("\(Exploration(schedules: 2))" == "2 schedules")
    var left = Exploration(schedules: 2, choices: 3, stepsFromOutside: ["step 4: test"])
    let text = "2 schedules, and no other order of the work that left the test's executor"
    #expect("\(left)" == text)
    left.isRepeatable = false
    #expect("\(left)" == text)
    var different = Exploration(schedules: 2, choices: 3)
    different.isRepeatable = false
    #expect(
      "\(different)" == "2 schedules, although the same schedule doesn't always take the same steps"
    )
  }

  @Test("names the places at which no task is overtaken, whatever else it claims")
  func places() {
    let rest = ", but no task is overtaken at A.swift:1, B.swift:2, where it holds a lock"
    let places = ["A.swift:1", "B.swift:2"]
    let all = Exploration(schedules: 1, ranAll: true, lockPlaces: places)
    #expect("\(all)" == "the only order of its tasks' steps" + rest)
    #expect("\(Exploration(schedules: 2, lockPlaces: places))" == "2 schedules" + rest)
  }

  @Test("names a failure by its kind, shortened, and by its place if there is one")
  func failure() {
    #expect(RunFailure(kind: "it threw", place: "").text == "it threw")
    #expect(RunFailure(kind: "it threw", place: "A.swift:1:2").text == "it threw at A.swift:1:2")
    let long = RunFailure(kind: String(repeating: "a", count: 500), place: "A.swift:1:2").text
    #expect(long.count < 150 && long.hasSuffix(" at A.swift:1:2"))
  }
}
