internal import Synchronization

extension Reducer {
  /// Creates the reducer of a feature that contains itself, such as a tree of rows.
  ///
  /// ```swift
  /// let folder = Reducer<Folder, FolderAction, FolderEnvironment>.recursive { folder in
  ///   .combine(
  ///     folder.forEach(state: \.folders, action: FolderAction.toFolder, environment: { $0 }),
  ///     Reducer { state, action, environment in … })
  /// }
  /// ```
  ///
  /// Each level is a child of the one above: its effects end with it, and have their own identifiers.
  ///
  /// - Parameter make: Returns the reducer. It runs once, and receives that reducer, to be pulled back.
  ///   What it receives does nothing after the result is released.
  public static func recursive(_ make: (Reducer) -> Reducer) -> Reducer {
    // Its own reducer must not retain it.
    let recursion = Recursion()
    let reducer = make(
      Reducer(reduce: { [weak recursion] in recursion?.reduce(&$0, $1, $2, $3) ?? .none }))
    recursion.reducer.withLock { $0 = reducer }
    return Reducer(reduce: { recursion.reduce(&$0, $1, $2, $3) })
  }

  private final class Recursion: Sendable {
    let reducer = Mutex(Reducer.empty)

    func reduce(
      _ state: inout State, _ action: Action, _ environment: Environment, _ context: ReducerContext
    ) -> Effect<Action> {
      reducer.withLock { $0 }.reduce(&state, action, environment, context)
    }
  }
}
