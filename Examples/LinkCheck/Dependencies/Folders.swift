import ComposableEnvironment
import Foundation

private enum BaseFolderKey: DependencyKey {
  static var defaultValue: Path { Path(FileManager.default.currentDirectoryPath) }
}

private enum RootFolderKey: DependencyKey {
  static let defaultValue: Path = "/"
}

extension Dependencies {
  /// What relative paths start from: the working folder, and while a file is checked, its folder.
  var baseFolder: Path {
    get { self[BaseFolderKey.self] }
    set { self[BaseFolderKey.self] = newValue }
  }

  /// What absolute links start from: the folder that is checked.
  var rootFolder: Path {
    get { self[RootFolderKey.self] }
    set { self[RootFolderKey.self] = newValue }
  }
}
