internal import ComposableReducers
internal import Synchronization
internal import TestClocks

/// The environment of a test's store, which the test can override while the store runs.
final class EngineEnvironment<State: Sendable, Action: Sendable>: Sendable {
  /// Gives a store another environment.
  struct Change: Sendable {
    let apply: @Sendable (StoreCore<State, Action>) -> Void
  }

  private let currentScope: @Sendable () -> DependencyScope
  private let override:
    @Sendable (ComposableDependencies.SourceLocation, (inout Dependencies) -> Void) -> Change

  init<Environment>(_ environment: Environment, reducer: Reducer<State, Action, Environment>) {
    let current = Current(environment)
    currentScope = { current.scope }
    override = { place, update in
      let (environment, scope) = current.override(at: place, update)
      let boxed = Boxed(environment: environment)
      return Change { $0.setEnvironment(boxed.environment, of: reducer, in: scope) }
    }
  }

  /// The scope of the environment, or else of the store.
  var scope: DependencyScope { currentScope() }

  /// Overrides dependencies, and returns the change of the store.
  func overriding(
    at place: ComposableDependencies.SourceLocation, _ update: (inout Dependencies) -> Void
  ) -> Change {
    override(place, update)
  }

  // Unchecked: an environment needn't be sendable, but a store uses it on any thread, one at a time.
  private struct Boxed<Environment>: @unchecked Sendable {
    let environment: Environment
  }

  private final class Current<Environment>: Sendable {
    private let state: Mutex<(Boxed<Environment>, DependencyScope)>

    init(_ environment: Environment) {
      let scope = (environment as? any ScopeCapturing)?.scope ?? .current
      state = Mutex((Boxed(environment: environment), scope))
    }

    var scope: DependencyScope { state.withLock { $0.1 } }

    /// Recreates an environment that captures a scope.
    ///
    /// For any other, only the scope changes.
    func override(
      at place: ComposableDependencies.SourceLocation, _ update: (inout Dependencies) -> Void
    ) -> (Environment, DependencyScope) {
      let (boxed, scope) = state.withLock { $0 }
      let new: (Environment, DependencyScope)
      if let capturing = boxed.environment as? any ScopeCapturing {
        let recreated = capturing.recreated(
          fileID: place.fileID, line: place.line, overriding: update)
        new = (recreated as! Environment, recreated.scope)
      } else {
        new = (boxed.environment, scope.with(at: place, update))
      }
      // Return the replaced environment, so that it is freed after the lock.
      _ = state.withLock { current in
        defer { current = (Boxed(environment: new.0), new.1) }
        return current
      }
      return new
    }
  }
}
