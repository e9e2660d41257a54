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
  var entries: @Sendable (_ folder: Path) throws -> [Path]

  /// Returns the text of a file; invalid UTF-8 is replaced.
  var read: @Sendable (_ file: Path) async throws -> String

  /// The real file system.
  static let defaultValue = FileSystem(
    kind: { path in
      // Every folder contains itself, as `.`.
      if FileManager.default.fileExists(atPath: path.string + "/.") { return .folder }
      return FileManager.default.fileExists(atPath: path.string) ? .file : nil
    },
    entries: { folder in
      let names = try FileManager.default.contentsOfDirectory(atPath: folder.string)
      return names.map(folder.resolving).filter { path in
        let type = try? FileManager.default.attributesOfItem(atPath: path.string)[.type]
        return [.typeRegular, .typeDirectory].contains(type as? FileAttributeType)
      }
    },
    read: { String(decoding: try Data(contentsOf: URL(filePath: $0.string)), as: UTF8.self) })
}

/// The output of the program.
struct Output: DependencyKey {
  /// Prints lines of the result.
  var print: @Sendable (_ text: String) throws -> Void

  /// Prints a line that isn't part of the result.
  var printError: @Sendable (_ text: String) -> Void

  static let defaultValue = Output(
    print: { try FileHandle.standardOutput.write(contentsOf: Data("\($0)\n".utf8)) },
    printError: { try? FileHandle.standardError.write(contentsOf: Data("\($0)\n".utf8)) })
}
