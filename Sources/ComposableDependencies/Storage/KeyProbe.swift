internal import Synchronization

/// Finds out which keys are read through a scope.
///
/// The scope of a probe overrides nothing itself. Each of its reads asks the probe, which notes the
/// read and reads in the original scope. After the end of the probe, reads find only global values and
/// defaults, so that a value that captured the scope doesn't keep the original alive.
package final class KeyProbe: Sendable {
  enum Original {
    /// A scope, and whether the reads count for what watches that, too.
    case of(ScopeNode?, countsReads: Bool)
    case ended
  }

  private struct State {
    var original: Original
    var reads: [Read] = []
  }

  private let state: Mutex<State>
  private let readAfterEnd: @Sendable (any DependencyKey.Type) -> Void

  init(_ original: Original, readAfterEnd: @escaping @Sendable (any DependencyKey.Type) -> Void) {
    state = Mutex(State(original: original))
    self.readAfterEnd = readAfterEnd
  }

  /// Ends the probe, and returns the first read of each key in each nesting of defaults.
  @discardableResult
  package func end() -> [Read] {
    // Released after the lock, because that may run user code.
    var ended = State(original: .ended)
    state.withLock { swap(&$0, &ended) }
    return ended.reads
  }

  var original: Original { state.withLock { $0.original } }

  /// Notes a read of what the scope of the probe doesn't override.
  ///
  /// - Returns: `false` after the end, for a read like any other.
  func didRead(
    _ key: any DependencyKey.Type, by reader: StaticString, from source: ValueSource
  ) -> Bool {
    guard case .of(let original, let countsReads) = original else {
      // The library itself reads while it reports.
      if !(key is any UnrecordedKey.Type) { readAfterEnd(key) }
      return false
    }
    if countsReads { original.didRead(key, by: reader, from: source) }
    let read = Read(key, by: reader, from: source, in: original)
    state.withLock { state in
      // A probe that has ended meanwhile must not retain the original scope.
      guard case .of = state.original else { return }
      let isKnown = state.reads.contains {
        $0.key == key && $0.defaults.count == read.defaults.count
      }
      if !isKnown { state.reads.append(read) }
    }
    return true
  }

  /// Calls `body` with where the original scope gets a key's value, or a scope without overrides after
  /// the end.
  @inline(never)
  func find(
    _ key: any DependencyKey.Type, over store: GlobalStore, _ body: (FoundSource) -> Void
  ) {
    // Under the lock, because the probe may end meanwhile, and the original scope must not be freed
    // here.
    state.withLock { state in
      switch state.original {
      case .of(let original, _): original.find(key, body)
      case .ended: store.find(key, in: nil, body)
      }
    }
  }

  /// The scope in which a default is computed that is read in `scope`, a scope of this probe.
  func scopeOfDefaults(readIn scope: ScopeNode?) -> ScopeNode? {
    if case .of = original { return scope }
    // What a default reads isn't a read of its own.
    let silent = KeyProbe(.ended) { _ in }
    var copy: ScopeNode? = ScopeNode(bareOver: ScopeRoot(scope.store, probe: silent))
    for override in scope.overrides() { ScopeNode.add(override, to: &copy) }
    return copy
  }
}
