/// An absolute path without `.`, `..` and doubled or trailing slashes.
package struct Path: Hashable, Comparable, Codable, Sendable {
  package let string: String

  package init(_ path: String) {
    var parts: [Substring] = []
    for part in path.split(separator: "/") where part != "." {
      if part == ".." { _ = parts.popLast() } else { parts.append(part) }
    }
    string = "/" + parts.joined(separator: "/")
  }

  package static func < (lhs: Path, rhs: Path) -> Bool {
    lhs.string < rhs.string
  }
}

extension Path: ExpressibleByStringLiteral {
  package init(stringLiteral path: String) {
    self.init(path)
  }
}

extension Path {
  /// The folder that contains this path.
  package var folder: Path { resolving("..") }

  /// The lowercased text after the last dot of the name.
  var fileExtension: String {
    let name = string.split(separator: "/").last ?? ""
    return name.contains(".") ? name.split(separator: ".").last.map { $0.lowercased() } ?? "" : ""
  }

  /// Resolves a path written in a file of this folder.
  package func resolving(_ path: String) -> Path {
    path.hasPrefix("/") ? Path(path) : Path(string + "/" + path)
  }

  /// Returns this path relative to a folder, or the full path if it isn't below the folder.
  package func relative(to folder: Path) -> String {
    let prefix = folder == "/" ? "/" : folder.string + "/"
    return string.hasPrefix(prefix) ? String(string.dropFirst(prefix.count)) : string
  }
}
