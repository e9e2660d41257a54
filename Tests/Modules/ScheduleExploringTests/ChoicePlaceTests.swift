import TestSupport
import Testing

@testable import ComposableTesting
@testable import ScheduleExploring
@testable import TestRuntime

@Suite("Where choices are", .tooLongUnderSanitizers)
struct ChoicePlaceTests {
  private actor Purse {
    private(set) var amount = 0

    func add(_ amount: Int) { self.amount += amount }
  }

  /// Moves an amount between two actors while another task reads both.
  private static func isFound(
    _ move: @escaping @Sendable (_ first: Purse, _ second: Purse) async -> Void
  ) async -> Bool {
    let runner = ScheduleRunner([]) {
      let (first, second) = (Purse(), Purse())
      try await sideBySide(
        { await move(first, second) },
        {
          let sum = await first.amount
          let other = await second.amount
          try require(sum + other == 0, "an amount is missing")
        })
    }
    return await runner.search(1_000).finding != nil
  }

  private static func isFound(between: @escaping @Sendable () async -> Void) async -> Bool {
    await isFound { first, second in
      await first.add(-50)
      await between()
      await second.add(50)
    }
  }

  @Test("there is none where a task goes from one actor to another")
  func none() async {
    let isFound = await Self.isFound { first, second in
      await first.add(-50)
      await second.add(50)
    }
    #expect(!isFound)
  }

  @Test("a yield and an interleaved closure between two actors add one")
  func added() async {
    #expect(await Self.isFound(between: { await Task.yield() }))
    #expect(await Self.isFound(between: interleaved {}))
    let pass = interleaved { (_: Int) in }
    #expect(await Self.isFound(between: { await pass(1) }))
  }

  /// What tasks do around interleaved closures, in order.
  private static func orderAroundInterleaved() async -> String {
    let log = Shared("")
    async let first: Void = interleaved { log.update { $0 += "a" } }()
    async let second: Void = {
      log.update { $0 += "b" }
      await interleaved { log.update { $0 += "c" } }()
      log.update { $0 += "d" }
    }()
    await Task.yield()
    log.update { $0 += "e" }
    _ = await (first, second)
    return log.value
  }

  @Test("rule 37: a test that isn't explored runs in the plain order", .isolatedDependencies)
  func plainOrder() async throws {
    let (plain, schedule) = (await Self.orderAroundInterleaved(), Shared(""))
    try await explore(replaying: "") {
      let order = await Self.orderAroundInterleaved()
      schedule.update { $0 = order }
    }
    #expect(plain == schedule.value && plain.count == 5)
  }

  private actor Box {
    func start(_ log: Shared<String>) {
      for name in ["a", "b"] {
        Task {
          _ = self  // so that the task runs here
          log.update { $0 += name }
        }
      }
    }
  }

  @Test("there is one between tasks that run on the same actor, even if they make nothing ready")
  func silentTurns() async throws {
    let (orders, exploration) = try await explored {
      let (log, box) = (Shared(""), Box())
      let other = Task.detached { log.update { $0 += "x" } }
      await box.start(log)
      await other.value
      while log.value.count < 3 { await Task.yield() }
      return log.value
    }
    #expect(orders == ["abx", "axb", "xab"], "\(orders) \(exploration)")
  }

  #if DEBUG  // The optimizer removes the hop to code that does nothing.
    @Test("nonisolated code between two actors adds one")
    func nonisolatedCode() async {
      #expect(await Self.isFound(between: {}))
    }
  #endif
}
