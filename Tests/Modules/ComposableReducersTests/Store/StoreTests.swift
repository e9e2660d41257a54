import Synchronization
import TestSupport
import Testing

@testable import ComposableReducers

@Suite("Store")
struct StoreTests {
  private enum Action: Sendable {
    case append(Int)
    case appendLater(Int)
    case chain(Int)
    case keep(Tracked)
  }

  private static let reducer = Reducer<[Int], Action, Tracked> { state, action, tracked in
    switch action {
    case .append(let number):
      state.append(number)
      return .none
    case .appendLater(let number):
      return .run { send in
        await Task.yield()
        await send(.append(number))
      }
    case .chain(let number):
      state = [number]
      return number == 0 ? .none : .run { send in await send(.chain(number - 1)) }
    case .keep(let other):
      return Effect.run { send in
        await withTaskGroup { group in
          group.addTask { try? await Task.sleep(for: .seconds(1_000_000)) }
          await group.waitForAll()
        }
        withExtendedLifetime((other, tracked)) {}
      }.cancellable(id: 1)
    }
  }

  private func store() -> Store<[Int], Action> {
    Store(initialState: [], reducer: Self.reducer, environment: Tracked())
  }

  @Test("finish waits for an action's effects, and for those that their actions start")
  func finish() async {
    let store = store()
    await store.send(.chain(100)).finish()
    #expect(await store.state == [0])
    await store.send(.append(1)).finish()
    #expect(await store.state == [0, 1])
  }

  @Test("cancelling the task that waits for an action cancels the action's effects")
  func cancelledWait() async {
    let (store, alive) = (store(), AliveCounter())
    let task = await store.send(.keep(Tracked(alive)))
    let waiting = Task { await task.finish() }
    waiting.cancel()
    await waiting.value
    #expect(await alive.left() == 0)
  }

  @Test("rule 24: actions are reduced one at a time, none is lost, each sender's in its order")
  func order() async {
    let store = store()
    await withTaskGroup { group in
      for sender in 0..<8 {
        group.addTask {
          for number in 0..<50 {
            if number % 2 == 0 {
              await store.send(.append(sender * 100 + number))
            } else {
              await store.send(.appendLater(sender * 100 + number)).finish()
            }
          }
        }
      }
    }
    let state = await store.state
    #expect(state.count == 400)
    for sender in 0..<8 {
      #expect(state.filter { $0 / 100 == sender } == (0..<50).map { sender * 100 + $0 })
    }
  }

  @Test("rule 24: an action sent while another is being reduced waits, and can be awaited")
  func reentrancy() async {
    let holder = Mutex<Store<[String], String>?>(nil)
    let reducer = Reducer<[String], String, Void> { state, action, _ in
      state.append("\(action) begins")
      defer { state.append("\(action) ends") }
      switch action {
      case "outer":
        holder.withLock { $0 }?.assumeIsolated { store -> Void in
          store.send("inner")
        }
        return .send("sent")
      default:
        return .none
      }
    }
    let store = Store(initialState: [], reducer: reducer, environment: ())
    holder.withLock { $0 = store }
    await store.send("outer").finish()
    #expect(
      await store.state == [
        "outer begins", "outer ends", "inner begins", "inner ends", "sent begins", "sent ends",
      ])
    holder.withLock { $0 = nil }
  }

  @Test(
    "rule 23: a chain of a million effects and actions leaks nothing",
    .enabled(if: Allocations.areCounted))
  func longChain() async {
    // In a separate process, in which no other test allocates.
    await #expect(processExitsWith: .success) {
      let bytes = Mutex((first: 0, last: 0))
      let reducer = Reducer<Int, Int, Void> { state, action, _ in
        if action == 990_000 { bytes.withLock { $0.first = Allocations.bytesInUse } }
        if action == 0 { bytes.withLock { $0.last = Allocations.bytesInUse } }
        state = action
        return action == 0 ? .none : .run { send in await send(action - 1) }
      }
      let store = Store(initialState: -1, reducer: reducer, environment: ())
      await store.send(1_000_000).finish()
      #expect(await store.state == 0)
      // One byte per step.
      #expect(bytes.withLock { $0.last - $0.first } < 1_000_000)
    }
  }

  @Test("a property with the name of a store's method is read by its key path")
  @MainActor
  func nameOfMethod() {
    struct Parent: Sendable {
      var child = 1
      var children = [2]
    }
    let store = ObservableStore(
      initialState: Parent(), reducer: Reducer<Parent, Int, Void>.empty, environment: ())
    #expect(store[\.child] + store[\.children].count == 2)
  }

  @Test("states produces the current state, then every change, and ends with the store")
  func states() async {
    var store: Store? = store()
    await store?.send(.append(1))
    var states = store!.states.makeAsyncIterator()
    #expect(await states.next() == [1])
    await store?.send(.append(2))
    #expect(await states.next() == [1, 2])
    await store?.send(.append(3))
    await store?.send(.append(4))
    #expect(await states.next() == [1, 2, 3, 4], "a slow reader skips to the newest")
    await store?.send(.append(5))
    store = nil
    #expect(await states.next() == [1, 2, 3, 4, 5], "it always gets the last one")
    #expect(await states.next() == nil)
  }

  @Test("an action wakes a reader of states, without comparing the state")
  func statesAreNotCompared() async {
    struct Compared: Equatable, Sendable {
      var number = 0

      static func == (lhs: Self, rhs: Self) -> Bool {
        Issue.record("The state was compared")
        return true
      }
    }
    let reducer = Reducer<Compared, Int, Void> { state, action, _ in
      state.number = action
      return .none
    }
    let store = Store(initialState: Compared(), reducer: reducer, environment: ())
    var states = store.states.makeAsyncIterator()
    for number in 1..<10 {
      await store.send(number)
      #expect(await states.next()?.number == number)
    }
  }

  @Test("releasing a store cancels its effects, and frees its tasks and environments")
  func dropping() async {
    let alive = AliveCounter()
    weak var weakStore: Store<[Int], Action>?
    let task: StoreTask
    do {
      let store = Store(
        initialState: [], reducer: Self.reducer, environment: Tracked(alive))
      weakStore = store
      task = await store.send(.keep(Tracked(alive)))
      await store.send(.append(1))
      #expect(alive.count > 0)
    }
    await task.finish()
    #expect(weakStore == nil)
    #expect(await alive.left() == 0)
  }

  @Test("an action sent after the store is released is ignored")
  func sendingToNoStore() async {
    let (started, dropped) = (Gate(), Gate())
    var store: Store? = Store(
      initialState: 0,
      reducer: Reducer<Int, Bool, Void> { state, isFirst, _ in
        state += 1
        guard isFirst else { return .none }
        return .run { send in
          await started.wait()
          await dropped.wait()
          await send(false)
        }
      },
      environment: ())
    let task = await store?.send(true)
    await started.waitForArrivals()
    started.open()
    store = nil
    dropped.open()
    await task?.finish()
  }
}

extension Store {
  /// Whether it has no known effect.
  var isIdle: Bool { core.isIdle }
}
