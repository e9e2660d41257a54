import ComposableReducers

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
