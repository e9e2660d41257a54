import ComposableEnvironment

/// What the program needs of a file system.
///
/// The type is a dependency by itself: its key is the type, its value a few closures that a test
/// replaces by others.
struct FileSystem: DependencyKey {
  static let defaultValue = FileSystem.disk

  enum Kind {
    case file
    case folder
  }

  struct Entry {
    let name: String
    /// Nothing for what is neither: a symbolic link is not followed, so no cycle can catch us.
    let kind: Kind?
  }

  /// What is found at a path, at the end of all symbolic links.
  var kind: @Sendable (_ path: Path) -> Kind?

  /// What a folder contains, in any order.
  var entries: @Sendable (_ folder: Path) throws -> [Entry]

  /// The text of a file; what is not UTF-8 in it is replaced.
  var read: @Sendable (_ file: Path) async throws -> String
}

extension Dependencies {
  /// Where documents are read, and where what they link to is looked for.
  var fileSystem: FileSystem {
    get { self[FileSystem.self] }
    set { self[FileSystem.self] = newValue }
  }
}
