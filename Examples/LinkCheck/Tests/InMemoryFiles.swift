import Synchronization

@testable import linkcheck

/// A file system in memory, with paths and texts.
///
/// Its folders are those in the paths.
final class InMemoryFiles: Sendable {
  struct Unreadable: Error {}

  private let texts: [Path: String]
  private let unreadable: Set<Path>
  private let reading: @Sendable (Path) async throws -> Void

  /// - Parameters:
  ///   - texts: The files, by paths that begin with `/`.
  ///   - unreadable: The files and folders that can't be read.
  ///   - reading: Called while a file is open.
  init(
    _ texts: [Path: String], unreadable: Set<Path> = [],
    reading: @escaping @Sendable (Path) async throws -> Void = { _ in }
  ) {
    self.texts = texts
    self.unreadable = unreadable
    self.reading = reading
  }

  var fileSystem: FileSystem {
    FileSystem(
      kind: { self.kind($0) },
      entries: { folder in
        if self.unreadable.contains(folder) { throw Unreadable() }
        return self.names(in: folder).map(folder.resolving)
      },
      read: { file in
        try await self.reading(file)
        guard let text = self.texts[file], !self.unreadable.contains(file) else {
          throw Unreadable()
        }
        return text
      })
  }

  private func kind(_ path: Path) -> FileSystem.Kind? {
    if texts[path] != nil { return .file }
    return names(in: path).isEmpty ? nil : .folder
  }

  private func names(in folder: Path) -> Set<String> {
    let prefix = folder == "/" ? "/" : folder.string + "/"
    return Set(
      texts.keys.filter { $0.string.hasPrefix(prefix) }
        .compactMap { $0.relative(to: folder).split(separator: "/").first.map(String.init) })
  }
}
