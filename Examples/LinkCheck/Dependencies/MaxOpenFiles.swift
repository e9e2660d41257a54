import ComposableEnvironment
import Foundation

private enum MaxOpenFilesKey: DependencyKey {
  static var defaultValue: Int { 2 * ProcessInfo.processInfo.activeProcessorCount }
}

extension Dependencies {
  /// The maximum number of files to keep open simultaneously, at least 1.
  var maxOpenFiles: Int {
    get { self[MaxOpenFilesKey.self] }
    set { self[MaxOpenFilesKey.self] = newValue }
  }
}
