import ComposableReducers

nonisolated func useEffects() -> Effect<String> {
  let clock = ContinuousClock()
  let run: Effect<Int> = .run(priority: .low) { send in
    guard !send.isCancelled else { throw ClientError.failed }
    await send(DependencyScope.current.limit)
    await withTaskGroup { group in
      group.addTask { await send(1) }
    }
  } catch: { error, send in
    await send(0)
  }
  let search: Effect<Int> = .run { _ in }
  return Effect<Int>.merge(
    .none,
    .send(1),
    .concatenate(run.cancellable(id: 1), .cancel(id: 2)),
    .concatenate([run, run.cancellable(id: "id", cancelInFlight: true)]),
    .merge([run, search]),
    search.debounce(id: "search", for: .milliseconds(300), clock: clock),
    search.throttle(id: "search", for: .seconds(1), clock: clock, latest: true)
  )
  .map { "\($0)" }
}
