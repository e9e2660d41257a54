import Foundation
import Synchronization
import TestSupport
import Testing

@testable import ComposableReducers

/// What cancellation promises: which effects it ends, and that nothing that they send is reduced
/// afterward.
@Suite("Cancellation of effects", .timeLimit(.minutes(10)))
struct CancellationTests {
  private enum One: Hashable, Sendable { case id }
  private enum Other: Hashable, Sendable { case id }
  private struct EqualHash: Hashable, Sendable {
    let number: Int

    func hash(into hasher: inout Hasher) {}
  }

  @Test("identifiers are compared by type and value; several are cancelled together")
  func identifiers() async {
    let ids: [any Hashable & Sendable] = [
      1, UInt8(1), 1.0, "1", Substring("1"), Int?(1), One.id, Other.id, 2,
      EqualHash(number: 0), EqualHash(number: 1),
    ]
    let goOn = Gate()
    let store = recordingStore { number in
      if number == -1 {
        return .merge(
          .cancel(id: 1), .cancel(id: "1"), .cancel(id: One.id), .cancel(id: EqualHash(number: 0)))
      }
      let effect = Effect<RecordingAction>.run { send in
        await goOn.wait()
        await send(.record("\(number)"))
      }
      // In a variable, because Swift 6.2 doesn't open an element of an array as a generic argument.
      let id = ids[number]
      return effect.cancellable(id: id).cancellable(id: "all")
    }
    var tasks: [StoreTask] = []
    for number in ids.indices { tasks.append(await store.send(.start(number))) }
    await goOn.waitForArrivals(ids.count)
    await store.send(.start(-1))
    goOn.open()
    for task in tasks { await task.finish() }
    #expect(await store.state.sorted() == ["1", "10", "2", "4", "5", "7", "8"])
  }

  @Test("a part that cancels those under its effect's identifier spares the effect's other parts")
  func otherParts() async {
    let (started, goOn) = (Gate(), Gate())
    let store = recordingStore { _ in
      .run { send in
        await withDiscardingTaskGroup { group in
          group.addTask {
            try? await send.withTaskCancellation(id: "other") { send in
              started.open()
              await goOn.wait()
              await send(.record("other, canceled: \(Task.isCancelled)"))
            }
          }
          await started.wait()
          try? await send.withTaskCancellation(id: "whole", cancelInFlight: true) { send in
            await send(.record("new"))
          }
          goOn.open()
        }
        await send(.record("whole"))
      }.cancellable(id: "whole")
    }
    await store.send(.start(0)).finish()
    #expect(await store.state == ["new", "other, canceled: false", "whole"])
  }

  /// An identifier whose `==` and `hash(into:)` cancel the effects of other actions.
  private struct CancellingID: Hashable, Sendable {
    let number: Int
    let tasks: Shared<[StoreTask]>

    static func == (lhs: CancellingID, rhs: CancellingID) -> Bool {
      for task in lhs.tasks.value { task.cancel() }
      return lhs.number == rhs.number
    }

    func hash(into hasher: inout Hasher) {
      for task in tasks.value { task.cancel() }
    }
  }

  @Test("rule 25: comparing identifiers may cancel effects")
  func comparing() async {
    let (tasks, cancelled) = (Shared<[StoreTask]>([]), Gate())
    let store = recordingStore { number in
      let id = CancellingID(number: number / 10, tasks: tasks)
      switch number % 10 {
      case 1: return .run { _ in await cancelled.wait() }.cancellable(id: id)
      case 2: return .cancel(id: id)
      case 3: return .run { _ in }.cancellable(id: id, cancelInFlight: true)
      case 4:
        return .run { _ in }.throttle(
          id: id, for: .zero, clock: ContinuousClock(), latest: true)
      default:
        return .run { send in
          try await send.withTaskCancellation(id: id, cancelInFlight: true) { _ in }
          await send(.record("\(number)"))
        }
      }
    }
    let running = [await store.send(.start(11)), await store.send(.start(21))]
    tasks.update { $0 = running }
    for number in 12...14 { await store.send(.start(number)) }
    let last = await store.send(.start(15))
    // It ends after the effects that it cancels, which wait for the gate.
    for await state in store.states where !state.isEmpty { break }
    cancelled.open()
    for task in running + [last] { await task.finish() }
    #expect(await store.state == ["15"])
  }

  /// An identifier whose `==` does what another thread may do meanwhile.
  private struct InterruptedID: Hashable, Sendable {
    let interruption: Later

    static func == (lhs: InterruptedID, rhs: InterruptedID) -> Bool {
      lhs.interruption()
      return true
    }

    func hash(into hasher: inout Hasher) {}
  }

  @Test("with cancelInFlight, one of two parts that begin at once cancels the other")
  func beginningAtOnce() async throws {
    let (kept, goOn) = (Shared<Send<RecordingAction>?>(nil), Gate())
    let store = recordingStore { _ in
      .run { send in
        kept.update { $0 = send }
        await goOn.wait()
      }
    }
    let task = await store.send(.start(0))
    await goOn.waitForArrivals()
    let effect = try #require(kept.value).effect
    let interruption = Later()
    let id = EffectID(InterruptedID(interruption: interruption))
    let parts = Shared<[RunningEffect]>([])
    @Sendable func begin() {
      let (part, _) = effect.startPart(id, cancelInFlight: true) { _ in await goOn.wait() }
      parts.update { $0.append(part) }
    }
    begin()
    interruption.set {
      interruption.set {}
      begin()
    }
    begin()
    #expect(parts.value.map(\.isCancelled) == [true, true, false])
    goOn.open()
    await task.finish()
  }

  @Test("rule 25: two stores never cancel each other's effects")
  func storesAreIndependent() async {
    let goOn = Gate()
    let effect: @Sendable (Int) -> Effect<RecordingAction> = { _ in
      .run { send in
        await goOn.wait()
        await send(.record("alive"))
      }.cancellable(id: 1)
    }
    let (one, other) = (recordingStore(effect), recordingStore(effect))
    let tasks = [await one.send(.start(0)), await other.send(.start(0))]
    await goOn.waitForArrivals(2)
    await other.send(.cancel(1))
    goOn.open()
    for task in tasks { await task.finish() }
    #expect(await one.state == ["alive"])
    #expect(await other.state.isEmpty)
  }

  @Test("rule 23: an effect that is cancelled before its task begins runs, cancelled")
  func cancelledBeforeItStarts() async {
    let wasCancelled = Mutex<[Bool]>([])
    let store = recordingStore { number in
      .merge(
        Effect.run { send in
          wasCancelled.withLock { $0.append(Task.isCancelled && send.isCancelled) }
          await send(.record("ran"))
        }.cancellable(id: 1),
        .cancel(id: 1))
    }
    await store.send(.start(0)).finish()
    #expect(wasCancelled.withLock { $0 } == [true])
    #expect(await store.state.isEmpty)
  }

  @Test("rule 23: an action isn't reduced if its effect is cancelled while it is on its way")
  func onItsWay() async {
    let (cancel, goOn) = (Later(), Gate())
    let store = recordingStore { _ in
      Effect<String>.run { send in
        await goOn.wait()
        await send("late")
      }
      .map { text in
        cancel()
        return .record(text)
      }
    }
    let task = await store.send(.start(0))
    cancel.set { task.cancel() }
    goOn.open()
    await task.finish()
    #expect(await store.state.isEmpty)
  }

  @Test("cancelAndFinish returns when the effects have ended")
  func cancelAndFinish() async {
    let (started, log) = (Gate(), Log())
    let store = recordingStore { _ in
      .run { send in
        started.open()
        try? await Task.sleep(for: .seconds(1_000_000))
        await yield(10)
        log.append("ended")
      }
    }
    let task = await store.send(.start(0))
    await started.wait()
    await task.cancelAndFinish()
    #expect(log.lines == ["ended"])
  }

  @Test("nothing is reduced that an effect, or its part, sends while another is being cancelled")
  func sentWhileAnotherIsCancelled() async {
    let gates = (first: Gate(), second: Gate(), isCancelled: Gate())
    let hasSent = DispatchSemaphore(value: 0)
    let store = recordingStore { _ in
      .merge(
        .run { _ in
          await withTaskCancellationHandler {
            gates.first.open()
            try? await Task.sleep(for: .seconds(1_000_000))
          } onCancel: {
            gates.isCancelled.open()
            hasSent.wait()
          }
        },
        .run { send in
          gates.second.open()
          await gates.isCancelled.wait()
          await send(.record("late"))
          try await send.withTaskCancellation(id: 1) { await $0(.record("late in a part")) }
          hasSent.signal()
        })
    }
    let task = await store.send(.start(0))
    await gates.first.wait()
    await gates.second.wait()
    // On a thread of its own, because the handler blocks it.
    Thread { task.cancel() }.start()
    await task.finish()
    #expect(await store.state.isEmpty)
  }

  @Test("with cancelInFlight, no stale answer is reduced when queries race")
  func races() async {
    struct Search: Sendable {
      var query = 0
      var stale = 0
    }
    enum Action: Sendable { case query(Int), found(Int) }
    let reducer = Reducer<Search, Action, Void> { state, action, _ in
      switch action {
      case .query(let number):
        state.query = number
        return Effect.run { send in await send(.found(number)) }
          .cancellable(id: "search", cancelInFlight: true)
      case .found(let number):
        if number != state.query { state.stale += 1 }
        return .none
      }
    }
    let store = Store(initialState: Search(), reducer: reducer, environment: ())
    let observable = await ObservableStore(
      initialState: Search(), reducer: reducer, environment: ())
    for query in 0..<2_000 {
      await store.send(.query(query))
      await observable.send(.query(query))
      if query % 3 == 0 { await Task.yield() }
    }
    #expect(await store.state.stale == 0)
    #expect(await observable.state.stale == 0)
  }

  @Test("an effect's action that cancels its own effects starts no more, and sends nothing more")
  func cancellingWhileReducing() async {
    let (cancel, isCancelled) = (Later(), Gate())
    let store = recordingStore { number in
      switch number {
      case 0:
        return .run { send in
          await isCancelled.wait()
          await send(.start(1))
        }
      default:
        cancel()
        return .merge(.send(.record("sent")), .run { send in await send(.record("never")) })
      }
    }
    let task = await store.send(.start(0))
    cancel.set { task.cancel() }
    isCancelled.open()
    await task.finish()
    #expect(await store.state.isEmpty)
  }

  @Test("a part of a sequence that cancels the whole sends nothing more, and no other part starts")
  func partCancelsWhole() async {
    let store = recordingStore { _ in
      .concatenate(
        .run { send in await send(.record("first")) },
        .merge(.send(.record("second")), .cancel(id: "whole"), .send(.record("third")))
          .cancellable(id: "part"),
        .run { send in await send(.record("never")) }
      ).cancellable(id: "whole")
    }
    await store.send(.start(1)).finish()
    #expect(await store.state == ["first"])
  }

  @Test(
    "an identifier cancels a part of an operation, for example for a later part, and the rest continues",
    arguments: [RecordingAction.cancel(7), .start(1)])
  func part(cancel: RecordingAction) async {
    let started = Gate()
    let store = recordingStore { number in
      .run { send in
        if number == 1 {
          let seven = try await send.withTaskCancellation(id: 7, cancelInFlight: true) { _ in 7 }
          return #expect(seven == 7)
        }
        await #expect(throws: CancellationError.self) {
          try await send.withTaskCancellation(id: 7) { send in
            started.open()
            try? await Task.sleep(for: .seconds(1_000_000))
            #expect(Task.isCancelled && send.isCancelled)
            await send(.record("ignored"))
            try Task.checkCancellation()
          }
        }
        await send(.record("after"))
      }
    }
    let task = await store.send(.start(0))
    await started.wait()
    await store.send(cancel).finish()
    await task.finish()
    #expect(await store.state == ["after"])
  }

  @Test("a part is cancelled with its effect")
  func partOfCancelled() async {
    let started = Gate()
    let store = recordingStore { _ in
      .run { send in
        try await send.withTaskCancellation(id: 1) { _ in
          started.open()
          try await Task.sleep(for: .seconds(1_000_000))
        }
      }
    }
    let task = await store.send(.start(1))
    await started.wait()
    await task.cancelAndFinish()
  }

  @Test("effects are cancelled in the order in which they were made")
  func order() async {
    let (started, log) = (Gate(), Log())
    let effect: @Sendable (Int) -> Effect<RecordingAction> = { number in
      .run { _ in
        await withTaskCancellationHandler {
          await started.wait()
        } onCancel: {
          log.append("\(number)")
        }
      }
    }
    // The last part of a sequence is made when the others run.
    let store = recordingStore { _ in
      .merge(.concatenate(.run { _ in }, effect(3)), effect(1), effect(2).cancellable(id: 1))
    }
    let task = await store.send(.start(0))
    await started.waitForArrivals(3)
    task.cancel()
    started.open()
    await task.finish()
    #expect(log.lines == ["1", "2", "3"])
  }
}
