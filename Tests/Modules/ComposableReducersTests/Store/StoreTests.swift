import Synchronization
import TestSupport
import Testing

@testable import ComposableReducers

@Suite("Store")
struct StoreTests {
  @Test("rule 24: actions are reduced one at a time, none is lost, each sender's in its order")
  func order() async {
    let store = recordingStore { number in
      .run { send in
        await Task.yield()
        await send(.record("\(number)"))
      }
    }
    await withTaskGroup { group in
      for sender in 0..<8 {
        group.addTask {
          for number in (sender * 100)..<(sender * 100 + 50) {
            if number % 2 == 0 {
              await store.send(.record("\(number)"))
            } else {
              await store.send(.start(number)).finish()
            }
          }
        }
      }
    }
    let state = await store.state.map { Int($0)! }
    #expect(state.count == 400)
    for sender in 0..<8 {
      #expect(state.filter { $0 / 100 == sender } == (0..<50).map { sender * 100 + $0 })
    }
  }

  @Test(
    "rule 24: an action sent while another is reduced waits, can be awaited, and isn't cancelled"
  )
  func reentrancy() async {
    let (reduced, send) = (Log(), Later())
    let store = Store(
      initialState: 0,
      reducer: Reducer<Int, String, Void> { state, action, _ in
        reduced.append("\(action) begins")
        if action == "outer" { send() }
        reduced.append("\(action) ends")
        switch action {
        case "start": return .run { send in await send("outer") }
        case "outer": return .send("sent")
        default: return .none
        }
      },
      environment: ())
    send.set { [weak store] in
      store?.assumeIsolated { store in
        let task = store.send("inner")
        task.whenFinished { reduced.append("finished") }
        task.cancel()
      }
    }
    await store.send("start").finish()
    #expect(
      reduced.lines == [
        "start begins", "start ends", "outer begins", "outer ends", "inner begins", "inner ends",
        "finished", "sent begins", "sent ends",
      ])
  }

  @Test("code that a reducer calls reads the initial state from the store, and that is reported")
  func readingWhileReducing() async {
    let (read, seen) = (Later(), Log())
    let store = Store(
      initialState: [0],
      reducer: Reducer<[Int], Int, Void> { state, number, _ in
        state.append(number)
        read()
        return .none
      },
      environment: ())
    await store.send(1)
    read.set { [weak store] in store?.assumeIsolated { seen.append("\($0.state)") } }
    let reported = await issues { for number in 2...3 { await store.send(number) } }
    #expect(seen.lines == ["[0]", "[0]"])
    #expect(await store.state == [0, 1, 2, 3])
    #expect(reported.count == 2)
    #expect(reported.first?.problem.contains("Array<Int>") == true)
  }

  @Test(
    "rule 23: a chain of many effects and actions leaks nothing",
    .enabled(if: Allocations.areCounted))
  func longChain() async {
    // In a separate process, in which no other test allocates.
    await #expect(processExitsWith: .success) {
      let bytes = Mutex((first: 0, last: 0))
      let reducer = Reducer<Int, Int, Void> { state, action, _ in
        if action == 190_000 { bytes.withLock { $0.first = Allocations.bytesInUse } }
        if action == 0 { bytes.withLock { $0.last = Allocations.bytesInUse } }
        state = action
        return action == 0 ? .none : .run { send in await send(action - 1) }
      }
      let store = Store(initialState: -1, reducer: reducer, environment: ())
      await store.send(200_000).finish()
      #expect(await store.state == 0)
      // One byte per step.
      #expect(bytes.withLock { $0.last - $0.first } < 190_000)
    }
  }

  @Test("states produces the current state, then one after each action, and ends with the store")
  func states() async {
    let goOn = Gate()
    var store: Store? = recordingStore { _ in
      .run { send in
        await goOn.wait()
        await send(.record("sent"))
      }
    }
    await store?.send(.record("a"))
    var states = store!.states.makeAsyncIterator()
    #expect(await states.next() == ["a"])
    await store?.send(.record("b"))
    #expect(await states.next() == ["a", "b"])
    let task = await store!.send(.start(0))
    #expect(await states.next() == ["a", "b"], "even an action that changes nothing wakes it")
    goOn.open()
    await task.finish()
    #expect(await states.next() == ["a", "b", "sent"])
    await store?.send(.record("c"))
    await store?.send(.record("d"))
    #expect(await states.next() == ["a", "b", "sent", "c", "d"], "a slow reader skips")
    await store?.send(.record("e"))
    store = nil
    #expect(await states.next() == ["a", "b", "sent", "c", "d", "e"], "it gets the last one")
    #expect(await states.next() == nil)
  }
}
