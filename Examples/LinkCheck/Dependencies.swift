import ComposableEnvironment
import Foundation

extension Dependencies {
  /// The file system that contains the documents and the targets of their links.
  var fileSystem: FileSystem {
    get { self[FileSystem.self] }
    set { self[FileSystem.self] = newValue }
  }

  /// The output of the program.
  var output: Output {
    get { self[Output.self] }
    set { self[Output.self] = newValue }
  }

  /// The base of relative paths: the working folder or, during the check of a file, its folder.
  var baseFolder: Path {
    get { self[BaseFolderKey.self] }
    set { self[BaseFolderKey.self] = newValue }
  }

  /// The base of absolute links: the folder that is checked.
  var rootFolder: Path {
    get { self[RootFolderKey.self] }
    set { self[RootFolderKey.self] = newValue }
  }

  /// The maximum number of files to keep open simultaneously, at least 1.
  var maxOpenFiles: Int {
    get { self[MaxOpenFilesKey.self] }
    set { self[MaxOpenFilesKey.self] = newValue }
  }

  /// What is known about the files below the folder that is checked.
  var pages: Pages {
    get { self[Pages.self] }
    set { self[Pages.self] = newValue }
  }
}

private enum BaseFolderKey: DependencyKey {
  static var defaultValue: Path { Path(FileManager.default.currentDirectoryPath) }
}

private enum RootFolderKey: DependencyKey {
  static let defaultValue: Path = "/"
}

private enum MaxOpenFilesKey: DependencyKey {
  static var defaultValue: Int { 2 * ProcessInfo.processInfo.activeProcessorCount }
}

/// The part of a file system that the program needs.
///
/// The type is its own key. Its value consists of a few closures, which tests replace.
struct FileSystem: DependencyKey {
  enum Kind { case file, folder }

  /// Returns the kind of the item at a path, or at the target of a symbolic link.
  ///
  /// A device is a file.
  var kind: @Sendable (_ path: Path) -> Kind?

  /// Returns the files and folders in a folder, apart from symbolic links and devices, in any order.
  var entries: @Sendable (_ folder: Path) throws -> [(path: Path, kind: Kind)]

  /// Returns the text of a file; invalid UTF-8 is replaced.
  var read: @Sendable (_ file: Path) async throws -> String

  /// The real file system.
  static let defaultValue = FileSystem(
    kind: { path in
      guard FileManager.default.fileExists(atPath: path.string) else { return nil }
      return kind(ofItemAt: URL(filePath: path.string).resolvingSymlinksInPath().path) ?? .file
    },
    entries: { folder in
      try FileManager.default.contentsOfDirectory(atPath: folder.string).compactMap { name in
        let path = folder.resolving(name)
        return kind(ofItemAt: path.string).map { (path, $0) }
      }
    },
    read: { String(decoding: try Data(contentsOf: URL(filePath: $0.string)), as: UTF8.self) })

  private static func kind(ofItemAt path: String) -> Kind? {
    switch try? FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType {
    case .typeRegular: .file
    case .typeDirectory: .folder
    default: nil  // a symbolic link or a device
    }
  }
}

/// The output of the program.
struct Output: DependencyKey {
  enum Stream { case standardOutput, standardError }

  /// Writes a text unchanged.
  var write: @Sendable (_ text: String, _ stream: Stream) throws -> Void

  static let defaultValue = Output { text, stream in
    let handle: FileHandle = stream == .standardOutput ? .standardOutput : .standardError
    try handle.write(contentsOf: Data(text.utf8))
  }

  /// Prints a line of the result.
  func print(_ text: String) throws {
    try write(text + "\n", .standardOutput)
  }

  /// Prints a line that isn't part of the result.
  func printError(_ text: String) {
    try? write(text + "\n", .standardError)
  }
}
