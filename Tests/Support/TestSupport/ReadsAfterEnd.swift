package import ComposableDependencies
internal import Synchronization

/// Notes the reads of an owner's overrides after its end.
package struct ReadsAfterEnd: Sendable {
  private final class Keys: Sendable {
    let ids = Mutex<[ObjectIdentifier]>([])
  }

  private let keys = Keys()
  package let owner: OverrideOwner

  package init() {
    owner = OverrideOwner(at: SourcePlace(fileID: #fileID, line: #line)) { [keys] key in
      keys.ids.withLock { $0.append(ObjectIdentifier(key)) }
    }
  }

  /// Returns the keys of the overrides that were read, and forgets them.
  package func take() -> [ObjectIdentifier] {
    keys.ids.withLock { reads in
      defer { reads = [] }
      return reads
    }
  }
}
