import ComposableEnvironment
import Synchronization

/// What the files read so far have to link to.
///
/// A dependency may be a reference: everything in a scope then shares what it holds. The checker
/// overrides it with a new one for each run.
final class AnchorIndex: DependencyKey, Sendable {
  static var defaultValue: AnchorIndex { AnchorIndex() }

  private let anchors = Mutex<[Path: Set<String>]>([:])

  subscript(file: Path) -> Set<String>? {
    get { anchors.withLock { $0[file] } }
    set { anchors.withLock { $0[file] = newValue } }
  }
}

extension Dependencies {
  /// What the files read so far have to link to.
  var anchorIndex: AnchorIndex {
    get { self[AnchorIndex.self] }
    set { self[AnchorIndex.self] = newValue }
  }
}
