package import ComposableEnvironment
import Synchronization

/// The anchors of the files read so far.
///
/// A dependency can be a reference, which everything in a scope then shares. The checker overrides
/// it with a new one for each run.
package final class AnchorIndex: DependencyKey, Sendable {
  package static var defaultValue: AnchorIndex { AnchorIndex() }

  package init() {}

  private let anchors = Mutex<[Path: Set<String>]>([:])

  subscript(file: Path) -> Set<String>? {
    get { anchors.withLock { $0[file] } }
    set { anchors.withLock { $0[file] = newValue } }
  }
}

extension Dependencies {
  /// The anchors of the files read so far.
  package var anchorIndex: AnchorIndex {
    get { self[AnchorIndex.self] }
    set { self[AnchorIndex.self] = newValue }
  }
}
