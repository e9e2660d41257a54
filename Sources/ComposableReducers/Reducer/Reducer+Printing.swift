extension Reducer {
  /// Prints each action and the changes that it makes to the state.
  ///
  /// ```swift
  /// let store = Store(
  ///   initialState: App(), reducer: app.printingChanges(), environment: AppEnvironment())
  /// ```
  ///
  /// The text has the lines that differ between dumps of the states:
  ///
  /// ```swift
  /// received App.Action.tapped
  ///   - count: 1
  ///   + count: 2
  /// ```
  ///
  /// For debugging: it keeps a copy of the state before each action, and describes the state before
  /// and after it.
  ///
  /// - Parameter output: Receives the text, for example to pass it to a logger. By default, it goes to
  ///   standard output.
  public func printingChanges(
    _ output: @escaping @Sendable (String) -> Void = { print($0) }
  ) -> Reducer {
    Reducer(reduce: { state, action, environment, context in
      let oldState = state
      let effect = reduce(&state, action, environment, context)
      let lines = changedLines(oldState, state)
      output((["received \(action)"] + lines).joined(separator: "\n  "))
      return effect
    })
  }
}

/// The lines that differ between two dumps, in order.
private func changedLines<State>(_ oldState: State, _ newState: State) -> [String] {
  let (old, new) = (dumpedLines(oldState), dumpedLines(newState))
  let difference = new.difference(from: old)
  var (removed, inserted): (Set<Int>, Set<Int>) = ([], [])
  for change in difference {
    switch change {
    case .remove(let offset, _, _): removed.insert(offset)
    case .insert(let offset, _, _): inserted.insert(offset)
    }
  }
  var lines: [String] = []
  var (oldIndex, newIndex) = (0, 0)
  while oldIndex < old.count || newIndex < new.count {
    if removed.contains(oldIndex) {
      lines.append("- " + old[oldIndex])
      oldIndex += 1
    } else if inserted.contains(newIndex) {
      lines.append("+ " + new[newIndex])
      newIndex += 1
    } else {
      (oldIndex, newIndex) = (oldIndex + 1, newIndex + 1)
    }
  }
  return lines.isEmpty ? ["(no change)"] : lines
}

private func dumpedLines<State>(_ state: State) -> [String] {
  var text = ""
  dump(state, to: &text)
  return text.split(separator: "\n").map { line in
    // Remove the mark of `dump`, which looks like a mark of the difference.
    let indentation = line.prefix { $0 == " " }
    let rest = line.dropFirst(indentation.count)
    let isMarked = rest.hasPrefix("- ") || rest.hasPrefix("▿ ")
    return "\(indentation)\(isMarked ? rest.dropFirst(2) : rest)"
  }
}
