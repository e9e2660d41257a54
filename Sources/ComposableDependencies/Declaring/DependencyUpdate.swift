internal import Synchronization

/// One call that sets dependencies, where somebody needs to know what it sets: an environment's
/// `with`, or any call while places are recorded.
///
/// The `Dependencies` that the call's closure changes holds it.
@usableFromInline
package final class DependencyUpdate: Sendable {
  let recorded: RecordedUpdate?
  private let all = Mutex<[Override]>([])

  init(recorded: RecordedUpdate?) {
    self.recorded = recorded
  }

  /// The overrides that were set, the last one of each key.
  var overrides: [Override] { all.withLock { $0 } }

  func didSet(_ override: Override) {
    // Released after the lock, because freeing a value may run user code.
    let replaced = all.withLock { all in
      let replaced = all
      all = all.replacing(override)
      return replaced
    }
    withExtendedLifetime(replaced) {}
  }
}

extension [Override] {
  /// These overrides with another, which replaces one of the same key.
  func replacing(_ override: Override) -> [Override] {
    filter { $0.id != override.id } + [override]
  }
}
