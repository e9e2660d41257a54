import TestSupport
import Testing

@testable import ComposableTesting
@testable import ScheduleExploring
@testable import TestClocks

@Suite("Where choices are")
struct ChoicePlaceTests {
  private actor Purse {
    private(set) var amount = 0

    func add(_ amount: Int) { self.amount += amount }
  }

  /// Moves an amount between two actors while another task reads both.
  private static func explorer(
    _ move: @escaping @Sendable (_ first: Purse, _ second: Purse) async -> Void
  ) -> Explorer {
    Explorer([]) {
      let (first, second) = (Purse(), Purse())
      try await sideBySide(
        { await move(first, second) },
        {
          let sum = await first.amount
          let other = await second.amount
          try require(sum + other == 0, "an amount is missing")
        })
    }
  }

  private static func transfer(
    with between: @escaping @Sendable () async -> Void = {}
  ) -> Explorer {
    explorer { first, second in
      await first.add(-50)
      await between()
      await second.add(50)
    }
  }

  @Test("there is none where a task goes from one actor to another")
  func none() async throws {
    let explorer = Self.explorer { first, second in
      await first.add(-50)
      await second.add(50)
    }
    #expect(try #require(await explorer.search(1_000).exploration).isExhaustive)
  }

  @Test("a yield and an interleaved closure between two actors add one")
  func added() async {
    #expect(await Self.transfer { await Task.yield() }.search(1_000).finding != nil)
    #expect(await Self.transfer(with: interleaved {}).search(1_000).finding != nil)
    let pass = interleaved { (_: Int) in }
    #expect(await Self.transfer { await pass(1) }.search(1_000).finding != nil)
  }

  #if DEBUG  // The optimizer removes the hop to code that does nothing.
    @Test("nonisolated code between two actors adds one")
    func nonisolatedCode() async {
      #expect(await Self.transfer().search(1_000).finding != nil)
    }
  #endif

  @Test("there is one where a task returns to the actor that called another")
  func returning() async {
    actor Bank {
      let (first, second) = (Purse(), Purse())

      func move() async {
        await first.add(-50)
        await second.add(50)
      }
    }
    let explorer = Explorer([]) {
      let bank = Bank()
      try await sideBySide(
        { await bank.move() },
        {
          let sum = await bank.first.amount
          let other = await bank.second.amount
          try require(sum + other == 0, "an amount is missing")
        })
    }
    #expect(await explorer.search(1_000).finding != nil)
  }
}
