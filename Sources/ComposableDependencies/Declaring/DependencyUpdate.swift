internal import Synchronization

/// One call that sets dependencies, where somebody needs to know what it sets: an environment's
/// `with`, or any call while places are recorded.
///
/// The `Dependencies` that the call's closure changes holds it.
@usableFromInline
package final class DependencyUpdate: Sendable {
  package let observer: (any UpdateObserver)?
  private let all = Mutex<[Override]>([])

  package init(observer: (any UpdateObserver)?) {
    self.observer = observer
  }

  /// The overrides that were set, the last one of each key.
  package var overrides: [Override] { all.withLock { $0 } }

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
  package func replacing(_ override: Override) -> [Override] {
    filter { $0.id != override.id } + [override]
  }
}

// MARK: - Updating

extension DependencyScope {
  /// Returns a scope with more overrides, and the update that set them.
  package func updated(
    at place: SourceLocation, _ update: (inout Dependencies) -> Void
  ) -> (scope: DependencyScope, update: DependencyUpdate?) {
    var dependencies = Dependencies(node: node)
    dependencies.beginUpdate(at: place)
    let observer = dependencies.update?.observer
    update(&dependencies)
    observer?.end()
    // The update that the closure ended with may be another one's.
    return (DependencyScope(node: dependencies.node), dependencies.update)
  }
}

extension Dependencies {
  /// Whether updates of this scope are observed.
  @usableFromInline
  var isObserved: Bool {
    // Not unwrapped, because that would retain it.
    let options =
      Unowned.optional(node)?.borrow { $0.unownedStore.borrow { $0.options } }
      ?? GlobalStore.process.options
    return options.contains(.observingUpdates)
  }

  /// Sets dependencies, with a place in the code.
  @_alwaysEmitIntoClient
  @inline(__always)
  mutating func run(
    _ update: (inout Dependencies) -> Void, fileID: StaticString, line: UInt
  ) {
    let isObserved = isObserved
    if isObserved { beginUpdate(fileID: fileID, line: line) }
    update(&self)
    if isObserved { endUpdate() }
  }

  @usableFromInline
  mutating func beginUpdate(fileID: StaticString, line: UInt) {
    beginUpdate(at: SourceLocation(fileID: fileID, line: line))
  }

  fileprivate mutating func beginUpdate(at place: SourceLocation) {
    let scope = DependencyScope(node: node)
    let observer = isObserved ? scope.storeObserver?.update(of: scope, at: place) : nil
    update = DependencyUpdate(observer: observer)
  }

  @usableFromInline
  mutating func endUpdate() {
    update.take()?.observer?.end()
  }
}
