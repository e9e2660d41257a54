import StandardDependencies
import Testing

@testable import ScheduleExploring
@testable import TestRuntime

@Suite("The search for all schedules (rule 37)")
struct ExhaustiveSearchTests {
  /// All that could happen: the number of ready jobs at each choice, which depends on the choices before.
  private struct Choices {
    /// The number of jobs after some picks, or 0 at the end.
    let width: ([Int]) -> Int

    /// The picks of all schedules.
    var all: [[Int]] { all(after: []) }

    private func all(after picks: [Int]) -> [[Int]] {
      let width = width(picks)
      return width == 0 ? [picks] : (0..<width).flatMap { all(after: picks + [$0]) }
    }

    func run(_ schedule: Schedule) -> (picks: [Int], record: ChoiceRecord) {
      var (order, record, picks) = (
        GivenOrder(switches: schedule.switches), ChoiceRecord(), [Int]()
      )
      while case let width = width(picks), width > 0 {
        picks.append(width == 1 ? 0 : order.outcome(of: width))
        record.didChoose(picks.last!, of: width)
      }
      return (picks, record)
    }

    /// Runs all that a search finds.
    func runAll(_ search: inout ExhaustiveSearch) -> [[Int]] {
      var (found, next) = ([[Int]](), Schedule.plain as Schedule?)
      while let schedule = next {
        let (picks, record) = run(schedule)
        found.append(picks)
        search.didRun(record)
        next = search.next()
      }
      return found
    }

    /// Up to four at each of up to five choices.
    static func random(_ seed: UInt64) -> Choices {
      Choices { picks in
        if picks.count == 5 { return 0 }
        var numbers = picks.reduce(SplitMix64(seed: seed)) { SplitMix64(seed: $0, pick: $1) }
        return Int(numbers.next(below: 5))
      }
    }

    static func same(_ widths: [Int]) -> Choices {
      Choices { $0.count == widths.count ? 0 : widths[$0.count] }
    }
  }

  private static func switches(in picks: [Int]) -> Int { picks.count { $0 != 0 } }

  @Test("finds each once, those with few switches first, whatever depends on the choices")
  func random() {
    for seed in 0..<1_000 as Range<UInt64> {
      let choices = Choices.random(seed)
      let all = Set(choices.all)
      var search = ExhaustiveSearch()
      let found = choices.runAll(&search)
      let switches = found.map(Self.switches)
      #expect(switches == switches.sorted(), "seed \(seed)")
      #expect(Set(found) == all && found.count == all.count, "seed \(seed)")
      #expect(search.known == found.count && !search.isBroken, "seed \(seed)")
    }
  }

  @Test("runs none with more switches once more are known than the limit, but counts these")
  func limit() {
    for seed in 0..<200 as Range<UInt64> {
      let choices = Choices.random(seed)
      let switches = choices.all.map(Self.switches)
      var search = ExhaustiveSearch(limit: 0)
      let runs = choices.runAll(&search).count
      #expect(runs == switches.count { $0 <= 1 }, "seed \(seed)")
      #expect(search.known == switches.count { $0 <= 2 }, "seed \(seed)")
    }
  }

  @Test("estimates their number, exactly if what can run doesn't depend on the choices")
  func estimate() {
    let choices = Choices.same([2, 1, 4, 3])
    var search = ExhaustiveSearch()
    search.didRun(choices.run(.plain).record)
    #expect(search.estimate == 24)
    for _ in 0..<10 {
      search.didRun(choices.run(search.next()!).record)
      #expect(search.estimate == 24)
    }
  }

  @Test("ends if the same schedule does something else")
  func repeated() {
    let choices = [Choices.same([2, 2]), Choices.same([2, 3]), Choices.same([2, 2, 1])]
    let records = choices.map { $0.run(.plain).record }
    var search = ExhaustiveSearch()
    search.didRun(records[0])
    search.didRepeat(records[0], records[0])
    #expect(!search.isBroken && search.next() != nil)
    for other in records[1...] {
      search = ExhaustiveSearch()
      search.didRun(records[0])
      search.didRepeat(records[0], other)
      #expect(search.isBroken && search.next() == nil)
    }
  }

  @Test("a run that differs from another with the same choices ends an enumeration")
  func differentRuns() {
    var (search, plain) = (ExhaustiveSearch(), ChoiceRecord())
    plain.didChoose(0, of: 2)
    search.didRun(plain)
    #expect(!search.isBroken)
    #expect(search.next()?.switches == [Schedule.Switch(choice: 0, index: 1)])
    search.didRun(plain)
    #expect(search.isBroken && search.next() == nil)
  }

  @Test("a run that differs before its last switch ends an enumeration")
  func differentPrefix() {
    func record(_ picks: [Int], of widths: [Int]) -> ChoiceRecord {
      var record = ChoiceRecord()
      for (pick, width) in zip(picks, widths) { record.didChoose(pick, of: width) }
      return record
    }
    var search = ExhaustiveSearch()
    search.didRun(record([0, 0], of: [2, 2]))
    #expect(search.next()?.switches == [.init(choice: 0, index: 1)])
    search.didRun(record([1], of: [2]))
    #expect(search.next()?.switches == [.init(choice: 1, index: 1)])
    search.didRun(record([0, 1], of: [3, 2]))
    #expect(search.isBroken)
  }

  @Test("a choice that matters only in a later schedule is chosen in all ways, each once")
  func noticedLater() {
    func record(_ picks: [Int], isFirstNoticed: Bool) -> ChoiceRecord {
      var record = ChoiceRecord()
      for pick in picks { record.didChoose(pick, of: 2) }
      record.choices[0].isNoticed = isFirstNoticed
      return record
    }
    var search = ExhaustiveSearch()
    search.didRun(record([0, 0], isFirstNoticed: false))
    #expect(search.next()?.switches == [.init(choice: 1, index: 1)] && search.known == 2)
    search.didRun(record([0, 1], isFirstNoticed: true))
    #expect(search.next()?.switches == [.init(choice: 0, index: 1)] && search.known == 3)
    search.didRun(record([1], isFirstNoticed: true))
    #expect(search.next() == nil && !search.isBroken)
  }
}

extension SplitMix64 {
  /// Another one for each pick after the choices of one.
  fileprivate init(seed other: SplitMix64, pick: Int) {
    var other = other
    self.init(seed: other.next(), number: pick)
  }
}
