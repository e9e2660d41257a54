import TestSupport
import Testing

@testable import ComposableReducers

@Suite("Concatenated effects that need no time")
struct ConcatenationTests {
  @Test("leading actions are reduced before send returns, in order, as with merge")
  func actions() async {
    let store = recordingStore { number in
      switch number {
      case 0: .concatenate(.send(.record("a")), .send(.record("b")))
      case 1:
        .concatenate(
          .merge(.send(.record("c")), .concatenate(.send(.record("d")), .cancel(id: 1))),
          Effect<Int>.send(7).map { .record("\($0)") }.cancellable(id: 2))
      default: .none
      }
    }
    await store.send(.start(0))
    #expect(await store.state == ["a", "b"])
    await store.send(.start(1))
    #expect(await store.state == ["a", "b", "c", "d", "7"])
  }

  @Test("rule 25: a part starts when the one before it has ended and its actions are reduced")
  func parts() async {
    let goOn = Gate()
    let store = recordingStore { _ in
      .merge(
        .concatenate(
          .send(.record("a")),
          .merge(
            .run { send in
              await goOn.wait()
              await send(.record("b"))
            }, .run { _ in }),
          .send(.record("c"))),
        .send(.record("x")))
    }
    let task = await store.send(.start(0))
    #expect(await store.state == ["a", "x"])
    goOn.open()
    await task.finish()
    #expect(await store.state == ["a", "x", "b", "c"])
  }
}
