import ComposableReducers
import ComposableTesting
import TestSupport

/// Bugs in timers and effects.
extension OrderingBug {
  private actor Debouncer {
    private var last = 0
    private(set) var firings = 0

    func type(inTurn: Bool, save: @Sendable () async -> Void) async throws {
      let mine = last + 1
      if inTurn { last = mine }
      await save()
      if !inTurn { last = mine }
      try await sleep(.milliseconds(300))
      if mine == last { firings += 1 }
    }
  }

  static let doubleDebounce = OrderingBug(name: "a debounce that fires twice", limit: 40) {
    isCorrect in
    let (debouncer, save) = (Debouncer(), interleaved {})
    try await sideBySide(
      { try await debouncer.type(inTurn: isCorrect, save: save) },
      {
        for _ in 0..<10 { await Task.yield() }
        try await debouncer.type(inTurn: isCorrect, save: save)
      })
    try await require(debouncer.firings == 1, "fired \(debouncer.firings) times")
  }

  private actor Throttle {
    private var isOpen = true
    private var end = 0.0
    private(set) var firings = 0

    func event(byTheClock: Bool) async throws {
      guard byTheClock ? secondsPassed >= end : isOpen else { return }
      (isOpen, end) = (false, secondsPassed + 1)
      firings += 1
      if byTheClock { return }
      try await sleep(.seconds(1))
      isOpen = true
    }
  }

  static let throttleEdge = OrderingBug(name: "a throttle at its edge", limit: 100) { isCorrect in
    let throttle = Throttle()
    try await sideBySide(
      { try await throttle.event(byTheClock: isCorrect) },
      {
        try await sleep(.seconds(1))
        for _ in 0..<2 { await Task.yield() }
        try await throttle.event(byTheClock: isCorrect)
      })
    try await require(throttle.firings == 2, "fired \(throttle.firings) times")
  }
}

/// Bugs in features.
extension OrderingBug {
  private enum SearchAction: Equatable {
    case search(String)
    case found(String)
  }

  private enum SearchID { case search }

  private static func search(cancelsOlder: Bool) async throws {
    let reducer = Reducer<String, SearchAction, Void> { state, action, _ in
      switch action {
      case .search(let text):
        let search = Effect<SearchAction>.run { send in
          try? await sleep(.seconds(1))
          await send(.found(text))
        }
        return cancelsOlder
          ? search.cancellable(id: SearchID.search, cancelInFlight: true) : search
      case .found(let text):
        state = text
        return .none
      }
    }
    let store = TestStore(initialState: "", reducer: reducer, environment: ())
    store.exhaustivity = .off
    await store.send(.search("a"))
    await store.send(.search("ab"))
    await store.finish()
    await store.skipReceivedActions()
    try require(store.state == "ab", "the field shows what was found for \(store.state)")
  }

  static let staleSearch = OrderingBug(
    name: "a cancelled search that overwrites the newer one", limit: 20
  ) { try await search(cancelsOlder: $0) }

  private enum PollingAction: Equatable { case start, allowed, stop }

  private static func poll(looksTwice: Bool) async throws {
    let reducer = Reducer<Bool, PollingAction, Void> { isStopped, action, _ in
      switch action {
      case .start:
        return .merge(
          .run { send in
            try await sleep(.seconds(1))
            await send(.allowed)
          },
          .run { send in
            try await sleep(.seconds(1))
            await send(.stop)
          })
      case .allowed:
        if looksTwice, isStopped { return .none }
        return Effect.run { _ in try await sleep(.seconds(3600)) }
          .cancellable(id: SearchID.search)
      case .stop:
        isStopped = true
        return .cancel(id: SearchID.search)
      }
    }
    let store = TestStore(initialState: false, reducer: reducer, environment: ())
    store.exhaustivity = .off
    await store.send(.start)
    await store.finish()
    await store.skipReceivedActions()
    try require(secondsPassed < 3600, "nothing has ended the sleep of an hour")
  }

  static let leakedSleeper = OrderingBug(name: "a leaked sleeper", limit: 20) {
    try await poll(looksTwice: $0)
  }

  private enum ListAction: Equatable {
    case start
    case append(String)
  }

  static let mergeOrder = OrderingBug(
    name: "an order of `merge` that is taken for granted", limit: 20
  ) { isCorrect in
    let reducer = Reducer<String, ListAction, Void> { state, action, _ in
      switch action {
      case .start:
        let effects = ["a", "b"].map { text in
          Effect<ListAction>.run { send in await send(.append(text)) }
        }
        return isCorrect ? .concatenate(effects) : .merge(effects)
      case .append(let text):
        state += text
        return .none
      }
    }
    let store = TestStore(initialState: "", reducer: reducer, environment: ())
    store.exhaustivity = .off
    await store.send(.start)
    await store.finish()
    await store.skipReceivedActions()
    try require(store.state == "ab", "the list is \(store.state)")
  }
}
