import ComposableReducers
import ComposableTesting
import Testing

/// The output of debounce and throttle, drawn as marbles: a character is a tick of the clock, and
/// an uppercase letter or a digit is an action that arrives, or an effect that runs, at that tick.
///
/// At a tick, the clock moves first. So an effect that waited for that tick runs before an action
/// that arrives at it.
@Suite("Marbles of debounce and throttle")
struct MarbleTests {
  private enum Kind: Sendable {
    case debounce(Int)
    case throttle(Int, latest: Bool)
  }

  private enum Action: Sendable {
    case comes(Character)
    case runs(Character)
    case cancel
  }

  /// The effects that run when actions come; `x` cancels.
  private func output(_ kind: Kind, _ input: String) async -> String {
    let clock = TestClock()
    let store = TestStore(
      initialState: [Character](),
      reducer: Reducer<[Character], Action, Void> { state, action, _ in
        switch (action, kind) {
        case (.comes(let name), .debounce(let ticks)):
          return Effect.send(.runs(name)).debounce(id: 0, for: .seconds(ticks), clock: clock)
        case (.comes(let name), .throttle(let ticks, let latest)):
          return Effect.send(.runs(name))
            .throttle(id: 0, for: .seconds(ticks), clock: clock, latest: latest)
        case (.cancel, _):
          return .cancel(id: 0)
        case (.runs(let name), _):
          state.append(name)
          return .none
        }
      },
      environment: ())
    store.exhaustivity = .off
    var (output, count) = ("", 0)
    for (tick, character) in input.enumerated() {
      if tick > 0 { await clock.advance(by: .seconds(1)) }
      await store.skipReceivedActions(strict: false)
      if character == "x" { await store.send(.cancel) }
      if character.isUppercase { await store.send(.comes(character)) }
      await store.skipReceivedActions(strict: false)
      let ran = store.state[count...]
      output += ran.isEmpty ? "-" : String(ran)
      count = store.state.count
    }
    return output
  }

  @Test(
    "debounce runs the last effect after a pause, in many timelines",
    arguments: [
      ("A----", "---A-"),
      ("AB---", "----B"),
      ("A-B----", "-----B-"),
      // An action at the very end of the pause is too late to replace the waiting effect.
      ("A--B----", "---A--B-"),
      ("A--B--C---", "---A--B--C"),
      ("A-x----", "-------"),
      // The last effect runs when its time has come, because effects have no end of a stream.
      ("A-B-C---", "-------C"),
    ])
  func debounce(_ input: String, _ expected: String) async {
    #expect(await output(.debounce(3), input) == expected)
  }

  @Test(
    "throttle runs the first effect immediately, and the latest at the end of the interval",
    arguments: [
      ("A-----", "A-----"),
      ("AB-----", "A--B---"),
      ("ABC----", "A--C---"),
      // The waiting effect opens the next interval, in which an action at that tick waits.
      ("AB-C---", "A--B--C"),
      ("AB-CD--", "A--B--D"),
      ("A--B---", "A--B---"),
      ("A---BC--", "A---B--C"),
      ("ABx----", "A------"),
    ])
  func throttleLatest(_ input: String, _ expected: String) async {
    #expect(await output(.throttle(3, latest: true), input) == expected)
  }

  @Test(
    "throttle can keep the first effect of an interval instead of the latest",
    arguments: [
      ("ABC----", "A--B---"),
      ("AB-CD--", "A--B--C"),
      ("ABCDEFG--", "A--B--D--"),
    ])
  func throttleFirst(_ input: String, _ expected: String) async {
    #expect(await output(.throttle(3, latest: false), input) == expected)
  }
}
