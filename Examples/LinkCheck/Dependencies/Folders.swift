package import ComposableEnvironment
import Foundation

private enum BaseFolderKey: DependencyKey {
  static var defaultValue: Path { Path(FileManager.default.currentDirectoryPath) }
}

private enum RootFolderKey: DependencyKey {
  static let defaultValue: Path = "/"
}

extension Dependencies {
  /// The base of relative paths: the working folder or, during the check of a file, its folder.
  package var baseFolder: Path {
    get { self[BaseFolderKey.self] }
    set { self[BaseFolderKey.self] = newValue }
  }

  /// The base of absolute links: the folder that is checked.
  package var rootFolder: Path {
    get { self[RootFolderKey.self] }
    set { self[RootFolderKey.self] = newValue }
  }
}
