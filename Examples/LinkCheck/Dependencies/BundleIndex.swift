package import ComposableEnvironment
import Synchronization

/// The articles and assets of the DocC bundles read so far, by the names that DocC knows.
package final class BundleIndex: DependencyKey, Sendable {
  package static var defaultValue: BundleIndex { BundleIndex() }

  struct Bundle: Sendable {
    var articles: [String: Path] = [:]
    var assets: Set<String> = []
  }

  private let bundles = Mutex<[Path: Bundle]>([:])
  /// The bundle that the files of a folder belong to.
  private let homes = Mutex<[Path: Path?]>([:])

  package init() {}

  func bundle(_ folder: Path, _ make: () -> Bundle) -> Bundle {
    if let known = bundles.withLock({ $0[folder] }) { return known }
    let bundle = make()
    bundles.withLock { $0[folder] = bundle }
    return bundle
  }

  func home(of folder: Path, _ find: () -> Path?) -> Path? {
    if let known = homes.withLock({ $0[folder] }) { return known }
    let home = find()
    homes.withLock { $0[folder] = .some(home) }
    return home
  }
}

extension Dependencies {
  /// The contents of DocC bundles.
  package var bundleIndex: BundleIndex {
    get { self[BundleIndex.self] }
    set { self[BundleIndex.self] = newValue }
  }
}
