import TestSupport
import Testing

@testable import ComposableReducers

@Suite("Identifiers of effects")
struct EffectIDTests {
  private enum One: Hashable, Sendable { case id }
  private enum Other: Hashable, Sendable { case id }

  @Test("identifiers of different types are different, though they are equal as AnyHashable")
  func types() {
    let ids: [EffectID] = [
      EffectID(1), EffectID(UInt8(1)), EffectID(1.0), EffectID("1"), EffectID(Substring("1")),
      EffectID(Optional(1)), EffectID(One.id), EffectID(Other.id), EffectID(AnySendableHashable(1)),
    ]
    for (number, id) in ids.enumerated() {
      #expect(ids.indices.filter { ids[$0] == id } == [number])
    }
    #expect(Set(ids).count == ids.count)
  }

  @Test("identifiers of the same type and value are the same")
  func values() {
    #expect(EffectID(1) == EffectID(1))
    #expect(EffectID("1").hashValue == EffectID("1").hashValue)
    #expect(EffectID(1) != EffectID(2))
    #expect(Set((0..<100).map { EffectID($0).hashValue }).count > 90)
    // Identifiers of different features are often enums without payloads.
    #expect(EffectID(One.id).hashValue != EffectID(Other.id).hashValue)
  }

  @Test("cancel with an equal number of another type cancels nothing")
  func otherNumber() async {
    let started = Gate()
    // With this many, some have the same hash in a table, in each process.
    let store = recordingStore { number in
      .merge(
        (0..<64).map { id in
          number == 0
            ? Effect.run { send in
              await started.wait()
              await send(.record("\(id)"))
            }.cancellable(id: id)
            : .cancel(id: UInt8(id))
        })
    }
    let task = await store.send(.start(0))
    await started.waitForArrivals(64)
    await store.send(.start(1))
    started.open()
    await task.finish()
    #expect(await store.state.count == 64)
  }

  @Test("several identifiers of any types are cancelled together")
  func severalIDs() async {
    let started = Gate()
    let store = recordingStore { number in
      guard number == 0 else { return .cancel(ids: [1, "2", One.id]) }
      let effect = Effect<RecordingAction>.run { _ in
        await started.wait()
        try await Task.sleep(for: .seconds(1_000_000))
      }
      return .merge(
        effect.cancellable(id: 1), effect.cancellable(id: "2"), effect.cancellable(id: One.id))
    }
    let task = await store.send(.start(0))
    await started.waitForArrivals(3)
    started.open()
    await store.send(.start(1))
    await task.finish()
  }
}

private struct AnySendableHashable: Hashable, Sendable {
  let number: Int
  init(_ number: Int) { self.number = number }
}
