/// An absolute path without `.`, `..` and doubled or trailing slashes.
struct Path: Hashable, Comparable, Sendable {
  let string: String

  init(_ path: String) {
    var parts: [Substring] = []
    for part in path.split(separator: "/") where part != "." {
      if part == ".." { _ = parts.popLast() } else { parts.append(part) }
    }
    string = "/" + parts.joined(separator: "/")
  }

  static func < (lhs: Path, rhs: Path) -> Bool {
    lhs.string < rhs.string
  }
}

extension Path: ExpressibleByStringLiteral {
  init(stringLiteral path: String) {
    self.init(path)
  }
}

extension Path {
  /// The folder that this is in.
  var folder: Path { resolving("..") }

  /// What comes after the last dot of the name, in lower case.
  var fileExtension: String {
    let name = string.split(separator: "/").last ?? ""
    return name.contains(".") ? name.split(separator: ".").last.map { $0.lowercased() } ?? "" : ""
  }

  /// Where a path leads that is written in a file of this folder.
  func resolving(_ path: String) -> Path {
    path.hasPrefix("/") ? Path(path) : Path(string + "/" + path)
  }

  /// How to write this path in a file of a folder; in full, where it is not below the folder.
  func relative(to folder: Path) -> String {
    let prefix = folder == "/" ? "/" : folder.string + "/"
    return string.hasPrefix(prefix) ? String(string.dropFirst(prefix.count)) : string
  }
}
