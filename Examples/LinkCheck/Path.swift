import Foundation

/// An absolute path without `.`, `..` and doubled or trailing slashes.
struct Path: Hashable, Comparable, ExpressibleByStringLiteral {
  let string: String

  init(_ path: String) {
    var parts: [Substring] = []
    for part in path.split(separator: "/") where part != "." {
      if part == ".." { _ = parts.popLast() } else { parts.append(part) }
    }
    string = "/" + parts.joined(separator: "/")
  }

  init(stringLiteral path: String) {
    self.init(path)
  }

  static func < (lhs: Path, rhs: Path) -> Bool {
    lhs.string < rhs.string
  }
}

extension Path {
  /// The folder that contains this path.
  var folder: Path { resolving("..") }

  /// This path, and the folders around it.
  var upwards: UnfoldFirstSequence<Path> {
    sequence(first: self) { $0 == "/" ? nil : $0.folder }
  }

  var name: String { string.split(separator: "/").last.map(String.init) ?? "" }

  var fileExtension: String { URL(filePath: string).pathExtension.lowercased() }

  var isMarkdown: Bool { ["md", "markdown"].contains(fileExtension) }
  var isSwift: Bool { fileExtension == "swift" }

  /// Resolves a path written in a file of this folder.
  func resolving(_ path: String) -> Path {
    path.hasPrefix("/") ? Path(path) : Path(string + "/" + path)
  }

  /// Returns this path relative to a folder, or the full path if it isn't below the folder.
  func relative(to folder: Path) -> String {
    String(string.trimmingPrefix(folder == "/" ? "/" : folder.string + "/"))
  }
}
