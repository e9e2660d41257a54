import Observation
import Synchronization
import TestSupport
import Testing

@testable import ComposableReducers

/// The store's state, as read by code that a reducer calls.
@Suite("Reading the state while an action is reduced")
struct ReadingWhileReducingTests {
  /// Reads a store that is set later.
  private final class Reader<Value: Sendable>: Sendable {
    private let closure = Mutex<(@Sendable () -> Value)?>(nil)
    private let values = Mutex<[Value]>([])

    var seen: [Value] { values.withLock { $0 } }

    func set(_ read: @escaping @Sendable () -> Value) {
      closure.withLock { $0 = read }
    }

    func read() {
      guard let value = closure.withLock({ $0 })?() else { return }
      values.withLock { $0.append(value) }
    }
  }

  @MainActor
  private func observableStore<State: Sendable>(
    _ state: State, _ reader: Reader<State>, _ change: @escaping @Sendable (inout State) -> Void
  ) -> ObservableStore<State, Bool> {
    let store = ObservableStore(
      initialState: state,
      reducer: Reducer<State, Bool, Void> { state, reads, _ in
        change(&state)
        if reads { reader.read() }
        change(&state)
        return .none
      },
      environment: ())
    reader.set { [weak store] in MainActor.assumeIsolated { store!.state } }
    return store
  }

  @Test("a dependency reads the initial state, and each read is reported")
  @MainActor
  func dependency() {
    let reader = Reader<[Int]>()
    let store = observableStore([0], reader) { $0.append($0.count) }
    store.send(false)
    let reported = issues { for _ in 0..<2 { store.send(true) } }
    #expect(reader.seen == [[0], [0]])
    #expect(store.state == Array(0..<7))
    #expect(reported.count == 2)
    #expect(reported.first?.problem.contains("Array<Int>") == true)
  }

  @Test("an object in the state reads it when the action frees it")
  @MainActor
  func freedObject() {
    final class Probe: Sendable {
      let reader: Reader<Int>
      init(_ reader: Reader<Int>) { self.reader = reader }
      deinit { reader.read() }
    }
    struct State: Sendable {
      var number = 0
      var probe: Probe?
    }
    let reader = Reader<Int>()
    let reducer = Reducer<State, Bool, Void> { state, isNew, _ in
      state.number += 1
      state.probe = isNew ? Probe(reader) : nil
      return .none
    }
    let store = ObservableStore(initialState: State(), reducer: reducer, environment: ())
    reader.set { [weak store] in MainActor.assumeIsolated { store?.state.number ?? -1 } }
    let reported = issues {
      store.send(true)
      store.send(false)
    }
    #expect(store.state.number == 2)
    #expect(reported.count == 1)
    #expect(reader.seen == [0])
  }

  @Test("an object that an action removes from the state is freed with that action")
  func removedObject() async {
    final class Object: Sendable {}
    let reducer = Reducer<Object?, Bool, Void> { state, isNew, _ in
      state = isNew ? Object() : nil
      return .none
    }
    let store = Store(initialState: nil, reducer: reducer, environment: ())
    await store.send(true)
    weak let before = await store.state
    #expect(before != nil)
    await store.send(false)
    #expect(before == nil)
  }

  @Test("an actor's store is read by code that assumes its isolation")
  func assumedIsolation() async {
    let reader = Reader<Int>()
    let store = Store(
      initialState: 0,
      reducer: Reducer<Int, Int, Void> { state, action, _ in
        state += action
        reader.read()
        return .none
      },
      environment: ())
    reader.set { [weak store] in store!.assumeIsolated { $0.state } }
    let reported = await issues { await store.send(5) }
    #expect(reader.seen == [0])
    #expect(reported.count == 1)
    #expect(await store.state == 5)
  }

  @Test("code that is notified of a change reads the state after the action")
  @MainActor
  func notified() {
    let reader = Reader<[Int]>()
    let store = observableStore([0], reader) { $0.append($0.count) }
    withObservationTracking {
      _ = store.state
    } onChange: {
      reader.read()
    }
    store.send(false)
    #expect(reader.seen == [[0, 1, 2]])
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
