import Foundation
import Testing

/// Holds the page How it works inside to the code of the core.
@Suite("The map of the core's folders")
struct MapTests {
  @Test("each folder is on the map, and names no types but those of the folders that it may use")
  func map() throws {
    let files = try Self.files
    var folders: [Substring: String] = [:]  // of types that other folders can name
    for file in files {
      for type in file.declaredTypes { folders[type] = file.folder }
    }
    let map = try Self.map
    #expect(Set(map.keys).isSubset(of: files.map(\.folder)))
    #expect(Set(files.map(\.folder)).isSubset(of: map.keys))
    for file in files {
      for word in file.words {
        guard let other = folders[word], other != file.folder else { continue }
        #expect(
          map[file.folder, default: []].contains(other),
          "\(file.folder)/ names \(word), which is declared in \(other)/")
      }
    }
  }

  @Test("the page on tests names each of their folders")
  func tests() throws {
    let folder = ReadmeTests.root.appending(path: "Tests")
    let page = try String(contentsOf: folder.appending(path: "README.md"), encoding: .utf8)
    let groups = try Self.folders(in: folder)
    let names =
      try groups + groups.flatMap { try Self.folders(in: folder.appending(path: $0)) }
    #expect(!names.isEmpty)
    for name in names { #expect(page.contains("`\(name)`")) }
  }

  @Test("each type that the page names exists")
  func names() throws {
    let sources = try ReadmeTests.sources.map { try $0.text }
    let named = Set(try Self.page.text.matches(of: /[^`]`([A-Z][A-Za-z]*)`/).map { $0.1 })
    let missing = named.filter { name in
      !name.hasSuffix("Tests") && !sources.contains { $0.contains(" \(name)") }
    }
    #expect(!named.isEmpty && missing.isEmpty)
  }
}

extension MapTests {
  private static func folders(in folder: URL) throws -> [String] {
    try FileManager.default
      .contentsOfDirectory(at: folder, includingPropertiesForKeys: [.isDirectoryKey])
      .filter { try $0.resourceValues(forKeys: [.isDirectoryKey]).isDirectory == true }
      .map(\.lastPathComponent)
  }

  /// A file of the core.
  private struct File {
    let folder: String
    /// Without comments and most strings.
    let lines: [Substring]

    var words: Set<Substring> {
      Set(lines.flatMap { $0.split { !$0.isLetter && !$0.isNumber && $0 != "_" } })
    }

    var declaredTypes: [Substring] {
      lines.compactMap { line in
        let words = line.split(separator: " ")
        let keyword = words.firstIndex {
          ["class", "struct", "enum", "protocol", "typealias"].contains($0)
        }
        // What is indented is nested, and what is private can't be named elsewhere.
        guard let keyword, !line.hasPrefix(" "), !line.contains("private "),
          keyword + 1 < words.count
        else { return nil }
        return words[keyword + 1].prefix { $0.isLetter || $0.isNumber }
      }
    }
  }

  private static var page: ReadmeTests.Page {
    get throws { try #require(ReadmeTests.pages.first { $0.name == "HowItWorksInside" }) }
  }

  /// The folders that a folder may use.
  private static var map: [String: Set<String>] {
    get throws {
      let rows = try page.text.matches(of: /\n\| `(\w+)\/` \|.*\|(.*)\|/)
      return Dictionary(
        uniqueKeysWithValues: rows.map { row in
          (String(row.1), Set(row.2.matches(of: /`(\w+)\/`/).map { String($0.1) }))
        })
    }
  }

  private static var files: [File] {
    get throws {
      try ReadmeTests.sources.compactMap { file in
        let path = file.url.pathComponents
        guard path.suffix(3).first == "ComposableDependencies" else { return nil }
        // Every second part is in quotation marks.
        let code = try file.text.split(separator: "\"", omittingEmptySubsequences: false)
          .enumerated().filter { $0.offset.isMultiple(of: 2) }.map(\.element).joined()
        let lines = code.split(separator: "\n").compactMap { line in
          line.split(separator: "//", maxSplits: 1, omittingEmptySubsequences: false).first
        }
        return File(folder: path[path.count - 2], lines: lines)
      }
    }
  }
}
