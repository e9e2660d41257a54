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

  var name: String { string.split(separator: "/").last.map(String.init) ?? "" }

  /// The lowercased text after the last dot of the name.
  var fileExtension: String {
    name.contains(".") ? name.split(separator: ".").last.map { $0.lowercased() } ?? "" : ""
  }

  var isMarkdown: Bool { ["md", "markdown"].contains(fileExtension) }
  var isSwift: Bool { fileExtension == "swift" }

  /// Resolves a path written in a file of this folder.
  func resolving(_ path: String) -> Path {
    path.hasPrefix("/") ? Path(path) : Path(string + "/" + path)
  }

  func isBelow(_ folder: Path) -> Bool {
    string.hasPrefix(folder == "/" ? "/" : folder.string + "/")
  }

  /// Returns this path relative to a folder, or the full path if it isn't below the folder.
  func relative(to folder: Path) -> String {
    let count = folder == "/" ? 1 : folder.string.count + 1
    return isBelow(folder) ? String(string.dropFirst(count)) : string
  }
}
