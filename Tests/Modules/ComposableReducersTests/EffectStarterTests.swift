import Testing

@testable import ComposableReducers

@Suite("Known effects")
struct EffectStarterTests {
  @Test("a store has no known effect when the last one has ended, and not before")
  func isEmpty() throws {
    for effect in [Effect<Int>.run { _ in }, .run { _ in }.cancellable(id: 1)] {
      let runner = EffectRunner(supervisor: nil)
      let (starter, flight) = (EffectStarter(runner), Flight(runner))
      #expect(starter.isEmpty)
      let context = EffectContext(scope: .root, flight: flight, cause: nil)
      _ = starter.prepare(try #require(effect.node), in: context) { _ in }
      #expect(!starter.isEmpty)
      flight.effects.first?.finish()
      #expect(starter.isEmpty)
    }
  }

  @Test("the identifier of an effect that nobody waits for any more still cancels it")
  func abandonedWithIdentifier() throws {
    let runner = EffectRunner(supervisor: nil)
    let (starter, flight) = (EffectStarter(runner), Flight(runner))
    let effect = Effect<Int>.run { _ in }.cancellable(id: 1)
    let context = EffectContext(scope: .root, flight: flight, cause: nil)
    _ = starter.prepare(try #require(effect.node), in: context) { _ in }
    let task = try #require(flight.effects.first)
    task.abandon()
    #expect(runner.isEmpty)
    #expect(!starter.isEmpty)
    starter.cancel(EffectID(1))
    #expect(task.isCancelled)
    task.finish()
    #expect(starter.isEmpty)
  }
}
