import ComposableReducers
import Foundation
import StandardDependencies

/// Searches the lines of a file, by default README.md, as you type.
///
/// Continue with `SearchFeature`, which doesn't know of terminals and files, and with its tests.
@main
enum Search {
  static func main() async throws {
    let file = CommandLine.arguments.dropFirst().first ?? "README.md"
    let lines = try String(contentsOfFile: file, encoding: .utf8)
      .split(separator: "\n").map(String.init)
    let terminal = Terminal()
    defer { terminal.restore() }

    await withDependencies {
      $0.searchClient = .searching(lines)
    } operation: {
      let store = Store(
        initialState: SearchState(), reducer: searchReducer, environment: SearchEnvironment())
      async let drawing: Void = draw(store) { terminal.draw(screen(for: $0)) }
      for await key in terminal.keys {
        switch key {
        case "\u{7F}", "\u{8}": await store.send(.erased)
        default: await store.send(.typed(key))
        }
      }
      await store.send(.ended)
      await drawing
    }
  }

  /// Draws the states, debounced: at once, and then at most sixty times a second.
  ///
  /// While it pauses, the sequence of states skips to the newest. It never skips the last one.
  static func draw(
    _ store: Store<SearchState, SearchAction>, with draw: @Sendable (SearchState) -> Void
  ) async {
    let clock = DependencyScope.current.continuousClock
    for await state in store.states {
      draw(state)
      if state.hasEnded { break }
      try? await clock.sleep(for: .seconds(1) / 60)
    }
  }

  static func screen(for state: SearchState) -> [String] {
    ["Search: \(state.query)\(state.isSearching ? " …" : "")"]
      + (state.results.isEmpty && !state.isSearching && !state.query.isEmpty
        ? ["  nothing found"] : state.results.map { "  \($0)" })
  }
}
