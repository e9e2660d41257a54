package import ComposableDependencies
internal import Synchronization

/// A call that overrides dependencies where places are recorded.
package final class OverridingCall: Sendable {
  package let place: SourcePlace
  private let origins = Mutex<[ObjectIdentifier: WeakOrigin]>([:])

  private struct WeakOrigin {
    weak let origin: Origin?
  }

  init(at place: SourcePlace) {
    self.place = place
  }

  func add(_ origin: Origin, for keys: [ObjectIdentifier]) {
    origins.withLock { origins in
      for key in keys { origins[key] = WeakOrigin(origin: origin) }
    }
  }

  func origin(of key: any DependencyKey.Type) -> Origin? {
    origins.withLock { $0[ObjectIdentifier(key)]?.origin }
  }
}
