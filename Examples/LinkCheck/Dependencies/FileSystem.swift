package import ComposableEnvironment

/// The part of a file system that the program needs.
///
/// The type is its own key. Its value consists of a few closures, which tests replace.
package struct FileSystem: DependencyKey {
  package static let defaultValue = FileSystem.disk

  package enum Kind {
    case file
    case folder
    /// For example, a device or a socket.
    case other
  }

  package struct Entry {
    package let name: String
    /// `nil` for a symbolic link, among others.
    ///
    /// Links aren't followed, so cycles do no harm.
    package let kind: Kind?
  }

  /// Returns the kind of the item at a path, after following all symbolic links.
  package var kind: @Sendable (_ path: Path) -> Kind?

  /// Returns the contents of a folder, in any order.
  package var entries: @Sendable (_ folder: Path) throws -> [Entry]

  /// Returns the text of a file; invalid UTF-8 is replaced.
  package var read: @Sendable (_ file: Path) async throws -> String
}

extension Dependencies {
  /// The file system that contains the documents and the targets of their links.
  package var fileSystem: FileSystem {
    get { self[FileSystem.self] }
    set { self[FileSystem.self] = newValue }
  }
}
