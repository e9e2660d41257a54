import Synchronization
import TestSupport
import Testing

@testable import ComposableReducers

/// The store's state, as read by code that a reducer calls.
@Suite("Reading the state while an action is reduced")
@MainActor
struct ReadingWhileReducingTests {
  @Test("a dependency reads the initial state, and each read is reported")
  func dependency() {
    let seen = Mutex<[[Int]]>([])
    let read = Later()
    let store = ObservableStore(
      initialState: [0],
      reducer: Reducer<[Int], Int, Void> { state, number, _ in
        state.append(number)
        read()
        return .none
      },
      environment: ())
    store.send(1)
    read.set { [weak store] in
      MainActor.assumeIsolated { seen.withLock { $0.append(store!.state) } }
    }
    let reported = issues { for number in 2...3 { store.send(number) } }
    #expect(seen.withLock { $0 } == [[0], [0]])
    #expect(store.state == [0, 1, 2, 3])
    #expect(reported.count == 2)
    #expect(reported.first?.problem.contains("Array<Int>") == true)
  }

  @Test("an array of the state is changed in place, action for action")
  func inPlace() async {
    let reducer = Reducer<[Int], Int, Void> { state, index, _ in
      state[index] += 1
      return .none
    }
    let core = StoreCore(
      initialState: Array(repeating: 0, count: 10_000), reducer: reducer, environment: ())
    func address() -> UInt? {
      unsafe core.state.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) }
    }
    _ = core.receive(0) { _ in }
    let before = address()
    for index in 0..<100 { _ = core.receive(index) { _ in } }
    #expect(address() == before)
    #expect(core.state.prefix(2) == [2, 1])
  }
}
