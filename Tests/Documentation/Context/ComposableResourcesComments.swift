import ComposableTesting
import Foundation
import Testing

private enum TemporaryFolderKey: ResourceKey {
  static let defaultValue = ""
  static func open(_ needs: ResourceOpening) async throws -> String { "" }
  static func close(_ folder: String) async {}
}

private enum CacheKey: ResourceKey {
  static let defaultValue = 1
  static func open(_ needs: ResourceOpening) async throws -> Int { 1 }
  static func close(_ cache: Int) async {}
}

// block: enum PoolKey: ResourceKey {

extension Dependencies {
  fileprivate var pool: Pool { self[PoolKey.self] }
}

// block: enum HTTPClientKey: SharedKey {

private enum Opening {
  // block: static func open(
}

private enum Making {
  // block: static func make(
}
