import ComposableReducers
import ComposableTesting

/// A feature with effects of many kinds.
enum Search {
  struct State: Equatable {
    var query = ""
    var isLoading = false
    var results: [String] = []
    var ticks = 0
  }

  enum Action: Equatable {
    case queryChanged(String)
    case loaded([String])
    case failed(String)
    case clear
    case startTimer
    case stopTimer
    case ticked
    case twice
    case leave
    case hang

    static let toLoaded = CasePath(Self.loaded) {
      if case .loaded(let results) = $0 { results } else { nil }
    }
    static let toFailed = CasePath(Self.failed) {
      if case .failed(let error) = $0 { error } else { nil }
    }
    static let toTicked = CasePath<Self, Void>(
      embed: { .ticked }, extract: { if case .ticked = $0 { () } else { nil } })
  }

  struct Failed: Error {}

  /// The dependencies of the feature under test.
  struct Environment: Sendable {
    let clock: TestClock
    var find: @Sendable (String) async throws -> [String] = { [$0 + "1", $0 + "2"] }
    var hang: @Sendable (Send<Action>) async -> Void = { _ in }
  }

  static let hangingLine: UInt = #line + 44
  static let reducer = Reducer<State, Action, Environment> { state, action, environment in
    switch action {
    case .queryChanged(let query):
      state.query = query
      state.isLoading = true
      return .run { send in
        try await environment.clock.sleep(for: .milliseconds(300))
        try await send(.loaded(environment.find(query)))
      } catch: { error, send in
        await send(.failed("\(error)"))
      }
      .cancellable(id: "search", cancelInFlight: true)
    case .loaded(let results):
      state.isLoading = false
      state.results = results
      return .none
    case .failed:
      state.isLoading = false
      return .none
    case .clear:
      state = State()
      return .cancel(id: "search")
    case .startTimer:
      return .run { send in
        while true {
          try await environment.clock.sleep(for: .seconds(1))
          await send(.ticked)
        }
      }
      .cancellable(id: "timer")
    case .stopTimer:
      return .cancel(id: "timer")
    case .ticked:
      state.ticks += 1
      return .none
    case .twice:
      return .merge(.send(.ticked), .run { send in await send(.ticked) })
    case .leave:
      return .run { send in
        await MainActor.run {}
        await send(.ticked)
      }
    case .hang:
      return .run { send in await environment.hang(send) }
    }
  }

  static func store(
    _ environment: Environment, _ state: State = State()
  ) -> TestStore<State, Action> {
    TestStore(initialState: state, reducer: reducer, environment: environment)
  }
}
