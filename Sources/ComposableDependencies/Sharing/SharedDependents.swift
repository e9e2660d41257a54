internal import Synchronization

/// The shared instances that were made from one override, and are freed with it.
final class SharedDependents: Sendable {
  private struct Dependents {
    var all: [SharedInstance] = []
    /// The number of instances above which those that are freed already are removed.
    var limit = 8
  }

  private let dependents = Mutex(Dependents())

  deinit {
    for instance in dependents.withLock({ $0.all }) { instance.drop() }
  }

  func add(_ instance: SharedInstance) {
    let crowded = dependents.withLock { dependents in
      dependents.all.append(instance)
      return dependents.all.count > dependents.limit ? dependents.all : []
    }
    if !crowded.isEmpty { removeDropped(of: crowded) }
  }

  /// Asks each instance outside the lock, because an answer may release the last store.
  private func removeDropped(of all: [SharedInstance]) {
    let dropped = Set(all.lazy.filter(\.isDropped).map { ObjectIdentifier($0) })
    dependents.withLock { dependents in
      dependents.all.removeAll { dropped.contains(ObjectIdentifier($0)) }
      dependents.limit = max(8, 2 * dependents.all.count)
    }
    // Those that were removed are released here, not under the lock.
    withExtendedLifetime(all) {}
  }
}
