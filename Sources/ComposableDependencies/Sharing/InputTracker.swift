internal import Synchronization

/// Watches what `make` of a shared key reads.
///
/// `make` runs in a scope that has this, and no overrides of its own. So each read that finds nothing
/// set inside of `make` asks the tracker, which looks into the scope that is read.
///
/// After `make` the scope may go on, captured by what was made. It then has the inputs that were read,
/// but neither the scope nor the identities of the overrides: what was made must not keep alive what
/// it belongs to.
final class InputTracker: Sendable {
  struct Input {
    let key: any DependencyKey.Type
    let source: InputSource
  }

  private struct State {
    /// `nil` after `make`.
    var scope: ScopeNode??
    var inputs: [Input] = []
    /// What a captured scope reads.
    var values: [Override] = []
  }

  /// `nil` in a probe, which only finds out what is read.
  private let sharedKey: (any SharedKey.Type)?
  private let store: Unowned<GlobalStore>
  private let state: Mutex<State>

  init(of sharedKey: any SharedKey.Type, in scope: ScopeNode?) {
    self.sharedKey = sharedKey
    // Each scope that has this owns the same store.
    store = Unowned(scope.store)
    state = Mutex(State(scope: .some(scope)))
  }

  /// Watches what code reads itself, apart from what defaults read.
  init(probing scope: ScopeNode?) {
    sharedKey = nil
    store = Unowned(scope.store)
    state = Mutex(State(scope: .some(scope)))
  }

  /// The scope that a probe reads, in which it computes defaults.
  var probedScope: ScopeNode?? { sharedKey == nil ? scope : nil }

  /// The scope that `make` reads, while it runs.
  var scope: ScopeNode?? { state.withLock { $0.scope } }

  /// What was read, each key once.
  var inputs: [Input] { state.withLock { $0.inputs } }

  func source(of key: any DependencyKey.Type, isRead: Bool) -> InputSource {
    guard case .some(let scope) = scope else { return sourceAfterwards(of: key) }
    let source = scope.source(of: key, isRead: isRead)
    if isRead {
      state.withLock { state in
        if !state.inputs.contains(where: { $0.key == key }) {
          state.inputs.append(Input(key: key, source: source))
        }
      }
    }
    return source
  }

  /// Keeps an instance that `make` has read, for the scope that it may have captured.
  func keep(_ instance: Override) {
    state.withLock { $0.values.append(instance) }
  }

  func seal() {
    let copies = inputs.compactMap { input -> Override? in
      guard case .override(let override) = input.source else { return nil }
      return override.copy(for: input.key)
    }
    // Released after the lock: a scope or a value may run anybody's code when it goes.
    let released = state.withLock { state in
      state.values += copies
      let inputs = state.inputs
      state.inputs = inputs.map { Input(key: $0.key, source: .nothing(root: $0.key)) }
      return (inputs, state.scope.take())
    }
    withExtendedLifetime(released) {}
  }

  private func sourceAfterwards(of key: any DependencyKey.Type) -> InputSource {
    let (value, isInput) = state.withLock { state in
      (
        state.values.first { $0.key == key },
        state.inputs.contains { $0.key == key }
      )
    }
    if let value { return .override(value) }
    if !isInput { reportUnknownInput(key) }
    return store.borrow { $0.source(of: key, in: nil) }
  }

  private func reportUnknownInput(_ key: any DependencyKey.Type) {
    guard let sharedKey else { return }
    DependencyIssue(
      problem: """
        A value that `make` of `\(sharedKey)` created captured its scope, and reads `\(key)` \
        through it. `make` itself didn't read `\(key)`, so overrides of it aren't seen.
        """,
      remedy: "read `\(key)` in `make`, and pass the value to what it creates.",
      at: nil
    ).report()
  }
}
