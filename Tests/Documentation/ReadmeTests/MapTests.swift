import Foundation
import Testing

/// Holds the pages about how modules work inside to their code.
@Suite("The maps of folders")
struct MapTests {
  /// The pages, and the modules whose folders are on their maps.
  private static let modules = [
    "HowItWorksInside": "ComposableDependencies", "HowStoresWorkInside": "ComposableReducers",
  ]

  @Test(
    "each folder is on the map, and names no types but those of the folders that it may use",
    arguments: modules)
  func map(page: String, module: String) throws {
    let files = try Self.files(of: module)
    var folders: [Substring: String] = [:]  // of types that other folders can name
    for file in files {
      for type in file.declaredTypes { folders[type] = file.folder }
    }
    let map = try Self.map(on: page)
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

  @Test("no two folders of a store's module use each other, directly or not")
  func circles() throws {
    var map = try Self.map(on: "HowStoresWorkInside")
    while let free = map.first(where: { $0.value.allSatisfy { map[$0] == nil } }) {
      map[free.key] = nil
    }
    #expect(map.isEmpty)
  }

  @Test("each type that a page names exists", arguments: modules.keys)
  func names(page: String) throws {
    let sources = try ReadmeTests.sources.map { try $0.text }
    let named = Set(try Self.page(page).text.matches(of: /[^`]`([A-Z][A-Za-z]*)`/).map { $0.1 })
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

  private static func page(_ name: String) throws -> ReadmeTests.Page {
    try #require(ReadmeTests.pages.first { $0.name == name })
  }

  /// The folders that a folder may use.
  private static func map(on name: String) throws -> [String: Set<String>] {
    let rows = try page(name).text.matches(of: /\n\| `(\w+)\/` \|.*\|(.*)\|/)
    return Dictionary(
      uniqueKeysWithValues: rows.map { row in
        (String(row.1), Set(row.2.matches(of: /`(\w+)\/`/).map { String($0.1) }))
      })
  }

  private static func files(of module: String) throws -> [File] {
    try ReadmeTests.sources.compactMap { file in
      let path = file.url.pathComponents
      guard path.suffix(3).first == module else { return nil }
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
