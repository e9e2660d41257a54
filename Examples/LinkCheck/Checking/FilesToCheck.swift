extension LinkChecker {
  /// Returns the visible Markdown and Swift files below a folder, or a single file.
  package func files(in start: Path, _ report: inout Report) -> [Path] {
    guard fileSystem.kind(start) == .folder else { return [start] }
    var files: [Path] = []
    var folders = [start]
    while let folder = folders.popLast() {
      if Task.isCancelled {
        report.isInterrupted = true
        break
      }
      do {
        for entry in try fileSystem.entries(folder) where !entry.name.hasPrefix(".") {
          let path = folder.resolving(entry.name)
          switch entry.kind {
          case .folder: folders.append(path)
          case .file where path.isMarkdown || path.isSwift: files.append(path)
          default: break
          }
        }
      } catch {
        report.broken.append(.unreadable(folder, error))
      }
    }
    return files.sorted()
  }
}

extension Path {
  var isMarkdown: Bool { ["md", "markdown"].contains(fileExtension) }
  var isSwift: Bool { fileExtension == "swift" }
}
