internal import Synchronization

/// Finds out which keys are read through a scope.
///
/// The scope of a probe overrides nothing itself. Each of its reads asks the probe, which notes the
/// key and reads in the original scope. After the end of the probe they find only global values and
/// defaults, so that what captured the scope doesn't keep the original alive.
package final class KeyProbe: Sendable {
  package struct Read {
    package let key: any DependencyKey.Type
    /// The function that reads it.
    package let reader: StaticString
    package let source: ValueSource
  }

  private struct State {
    /// `nil` after the end.
    var original: ScopeNode??
    var reads: [Read] = []
  }

  private let state: Mutex<State>
  private let followsDefaults: Bool
  private let readAfterEnd: @Sendable (any DependencyKey.Type) -> Void

  init(
    of original: ScopeNode??, followingDefaults: Bool,
    readAfterEnd: @escaping @Sendable (any DependencyKey.Type) -> Void
  ) {
    state = Mutex(State(original: original))
    followsDefaults = followingDefaults
    self.readAfterEnd = readAfterEnd
  }

  /// Ends the probe, and returns what was read, each key once.
  @discardableResult
  package func end() -> [Read] {
    // Released after the lock, because that may run user code.
    let (original, reads) = state.withLock { ($0.original.take(), $0.reads) }
    withExtendedLifetime(original) {}
    return reads
  }

  /// The original scope; `nil` after the end.
  var original: ScopeNode?? { state.withLock { $0.original } }

  /// Where the original scope gets a key's value, which counts as a read.
  func read(
    _ key: any DependencyKey.Type, by reader: StaticString, over store: GlobalStore
  ) -> ValueSource {
    guard case .some(let original) = original else {
      // The library itself reads while it reports.
      if !(key is any UnrecordedKey.Type) { readAfterEnd(key) }
      return store.source(of: key)
    }
    let source = original.source(of: key, readBy: reader)
    state.withLock { state in
      if !state.reads.contains(where: { $0.key == key }) {
        state.reads.append(Read(key: key, reader: reader, source: source))
      }
    }
    return source
  }

  /// What ``ScopeNode/find(_:override:global:)`` finds in the original scope.
  @inline(never)
  func find(
    _ key: any DependencyKey.Type, over store: GlobalStore,
    override body: (Unretained<Override>) -> Void, global globalBody: (Unretained<Override>) -> Void
  ) -> (any DependencyKey.Type)? {
    // Under the lock, because the probe may end meanwhile, and the original scope must not be freed here.
    state.withLock { state in
      if case .some(let original) = state.original {
        original.find(key, override: body, global: globalBody)
      } else {
        store.find(key, in: nil, override: body, global: globalBody)
      }
    }
  }

  /// The scope in which a default is computed that is read in `scope`, a scope of this probe.
  func scopeOfDefaults(readIn scope: ScopeNode?) -> ScopeNode? {
    guard case .some(let original) = original else {
      return .bare(over: ScopeRoot(scope.store))
    }
    return followsDefaults ? scope : original
  }
}
