import ComposableReducers
import ComposableTesting

struct Model {
  func fetch() {
    // error: 'prepareDependencies' is unavailable: set the values with
    //   `Dependencies.setGlobally { $0.apiClient = .live }`
    prepareDependencies { $0[Client.self] = Client { _ in [] } }
    // error: 'withDependencies(from:operation:)' is unavailable: declare
    //   `let scope = DependencyScope.current` in the model, and write `model.scope.run { … }`
    withDependencies(from: self) { 1 }
    // error: 'withDependencies(from:_:operation:)' is unavailable: declare
    //   `let scope = DependencyScope.current` in the model, and write
    //   `model.scope.with { $0.apiClient = .live }.run { … }`
    withDependencies(from: self) {
      $0[Client.self] = Client { _ in [] }
    } operation: {
      1
    }
  }
}

// error: 'unimplemented(_:placeholder:)' is unavailable: write `Dependencies.unimplemented(…)`, with
//   the same arguments
let fetch: @Sendable (Int) -> Int = unimplemented("fetch", placeholder: 1)

func wait(for clock: TestClock, _ store: TestStore<Int, Bool>) async {
  // error: 'run(timeout:)' is unavailable: write `run()`, which needs no timeout
  await clock.run(timeout: .seconds(1))
  // error: 'sleepers(atLeast:)' has been renamed to
  //   'waitForSleepers(atLeast:fileID:filePath:line:column:)'
  _ = await clock.sleepers(atLeast: 1)
  // error: 'cancelAndFinish()' has been renamed to 'cancel()'
  await store.send(true).cancelAndFinish()
  // error: 'off(showSkippedAssertions:)' has been renamed to 'off(showingSkipped:)'
  store.exhaustivity = .off(showSkippedAssertions: true)
}
