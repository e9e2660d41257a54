package import ComposableDependencies
internal import Synchronization

/// The owner of overrides, which notes the reads of them after its end.
package final class Owner: OverrideOwner {
  package let end = OwnerEnd()
  private let reads = Mutex<[ObjectIdentifier]>([])

  package init() {}

  package func didRead(_ read: Read) {
    guard case .override(let override) = read.source else { return }
    reads.withLock { $0.append(override.id) }
  }

  /// Returns the keys of the overrides that were read, and forgets them.
  package func takeReads() -> [ObjectIdentifier] {
    reads.withLock { reads in
      defer { reads = [] }
      return reads
    }
  }
}
