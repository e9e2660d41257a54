import Foundation
import Testing

/// Holds the targets, and the pages about how they work inside, to their code.
///
/// A table of folders is the map of the target that the heading above it names, or else of the
/// target whose catalog has the page.
@Suite("The maps of targets and folders")
struct MapTests {
  @Test("a target imports only targets that it depends on, and none depends on itself")
  func targets() throws {
    let targets = try Self.targets
    #expect(targets["ComposableDependencies"] == [] && targets.count > 10)
    for name in targets.keys {
      var all: Set<String> = []
      var pending = targets[name]!
      while let next = pending.popFirst() {
        if all.insert(next).inserted { pending.formUnion(targets[next, default: []]) }
      }
      #expect(!all.contains(name), "\(name) depends on itself")
      for file in try Self.files(of: name) {
        for other in file.imports where targets[other] != nil {
          #expect(all.contains(other), "\(file.path) imports \(other)")
        }
      }
    }
  }

  @Test("a target with several folders has a map, which has no circle")
  func circles() throws {
    let maps = try Self.maps
    #expect(maps["ComposableDependencies"] != nil)
    for name in try Self.targets.keys {
      let folders = Set(try Self.files(of: name).map(\.folder))
      #expect(folders.count < 2 || maps[name] != nil, "\(name) has no map")
    }
    for (name, map) in maps {
      var rest = map
      while let free = rest.first(where: { $0.value.allSatisfy { rest[$0] == nil } }) {
        rest[free.key] = nil
      }
      #expect(rest.isEmpty, "folders of \(name) use each other: \(rest.keys.sorted())")
    }
  }

  @Test("each folder is on the map, and names no types but those of the folders that it may use")
  func folders() throws {
    for (name, map) in try Self.maps {
      let files = try Self.files(of: name)
      #expect(Set(map.keys) == Set(files.map(\.folder)), "the map of \(name)")
      let types = Self.owners(files) { $0.declaredTypes }
      for file in files {
        let allowed = map[file.folder, default: []].union([file.folder])
        for word in file.words {
          guard let owner = types[word], !allowed.contains(owner) else { continue }
          Issue.record("\(file.path) names \(word), which is declared in \(owner)/")
        }
      }
    }
  }

  @Test("a folder uses no members but those of the folders that it may use")
  func members() throws {
    // Those that the standard library or Swift Testing declares, too.
    let foreign: Set<Substring> = ["forEach", "removeFirst", "sourceLocation"]
    for (name, map) in try Self.maps {
      let files = try Self.files(of: name)
      let owners = Self.owners(files) { $0.declaredNames }
      let members = Set(files.flatMap(\.declaredMembers)).subtracting(foreign)
      // Names of one word are used for arrays and others as well.
      for file in files {
        let allowed = map[file.folder, default: []].union([file.folder])
        for member in file.usedMembers.intersection(members)
        where member.contains(where: \.isUppercase) {
          guard let owner = owners[member], !allowed.contains(owner) else { continue }
          Issue.record("\(file.path) uses \(member), which is declared in \(owner)/")
        }
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

  @Test(
    "each type that a page names exists",
    arguments: [
      "HowItWorksInside", "HowResourcesWorkInside", "HowStoresWorkInside", "HowTestsWorkInside",
    ])
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

  /// A file of a target.
  private struct File {
    let path: String
    let folder: String
    /// Without comments and most strings.
    let lines: [Substring]

    var words: Set<Substring> {
      Set(lines.flatMap { $0.split { !$0.isLetter && !$0.isNumber && $0 != "_" } })
    }

    /// What `import`s name.
    var imports: [String] {
      lines.compactMap { line in
        let words = line.split(separator: " ")
        guard let keyword = words.firstIndex(of: "import"), keyword + 1 < words.count else {
          return nil
        }
        return String(words[keyword + 1])
      }
    }

    var declaredTypes: [Substring] {
      // What is indented is nested, and what is private can't be named elsewhere.
      lines.filter { !$0.hasPrefix(" ") && !$0.contains("private ") }
        .compactMap {
          Self.name(in: $0, after: ["class", "struct", "enum", "protocol", "typealias"])
        }
    }

    /// The members of types that other files can use.
    var declaredMembers: [Substring] {
      lines.filter { $0.hasPrefix("  ") && !$0.hasPrefix("   ") && !$0.contains("private ") }
        .compactMap { Self.name(in: $0, after: ["func", "var", "let"]) }
    }

    /// All names of functions and values, including local ones.
    var declaredNames: [Substring] {
      lines.compactMap { Self.name(in: $0, after: ["func", "var", "let", "case"]) }
    }

    /// What stands after a period.
    var usedMembers: Set<Substring> {
      Set(
        lines.flatMap { line in
          line.split(separator: ".", omittingEmptySubsequences: false).dropFirst()
            .map { $0.prefix { $0.isLetter || $0.isNumber } }
        })
    }

    private static func name(in line: Substring, after keywords: Set<Substring>) -> Substring? {
      let words = line.split(separator: " ")
      guard let keyword = words.firstIndex(where: { keywords.contains($0) }),
        keyword + 1 < words.count
      else { return nil }
      return words[keyword + 1].prefix { $0.isLetter || $0.isNumber }
    }
  }

  /// The folder of each name that is declared in one folder only.
  private static func owners(
    _ files: [File], _ names: (File) -> [Substring]
  ) -> [Substring: String] {
    var owners: [Substring: Set<String>] = [:]
    for file in files {
      for name in names(file) { owners[name, default: []].insert(file.folder) }
    }
    return owners.compactMapValues { $0.count == 1 ? $0.first : nil }
  }

  private static func page(_ name: String) throws -> ReadmeTests.Page {
    try #require(ReadmeTests.pages.first { $0.name == name })
  }

  /// The folders that each folder of a target may use.
  private static var maps: [String: [String: Set<String>]] {
    get throws {
      var maps: [String: [String: Set<String>]] = [:]
      for page in ReadmeTests.guides {
        let catalog = page.url.deletingLastPathComponent().deletingPathExtension()
        for section in try page.text.components(separatedBy: "\n## ") {
          let rows = section.matches(of: /\n\| `(\w+)\/` \|.*\|(.*)\|/)
          if rows.isEmpty { continue }
          let heading = String(section.prefix { $0 != "\n" })
          let target = try targets[heading] == nil ? catalog.lastPathComponent : heading
          maps[target] = Dictionary(
            uniqueKeysWithValues: rows.map { row in
              (String(row.1), Set(row.2.matches(of: /`(\w+)\/`/).map { String($0.1) }))
            })
        }
      }
      return maps
    }
  }

  /// The targets of `Sources`, and what each depends on, as the manifest says.
  private static var targets: [String: Set<String>] {
    get throws {
      let manifest = try String(
        contentsOf: ReadmeTests.root.appending(path: "Package.swift"), encoding: .utf8)
      let modules = manifest.matches(of: /\smodule\(\s*"(\w+)"([^)]*)\)/)
      return Dictionary(
        uniqueKeysWithValues: modules.map { module in
          let names = module.2.matches(of: /"(\w+)"/).map { String($0.1) }
          return (String(module.1), Set(names))
        })
    }
  }

  private static func files(of module: String) throws -> [File] {
    let folder = ReadmeTests.root.appending(path: "Sources/\(module)").pathComponents
    return try ReadmeTests.sources.compactMap { file in
      let path = file.url.pathComponents
      guard path.starts(with: folder) else { return nil }
      // Every second part is in quotation marks.
      let code = try file.text.split(separator: "\"", omittingEmptySubsequences: false)
        .enumerated().filter { $0.offset.isMultiple(of: 2) }.map(\.element).joined()
      let lines = code.split(separator: "\n").compactMap { line in
        line.split(separator: "//", maxSplits: 1, omittingEmptySubsequences: false).first
      }
      let parts = path.dropFirst(folder.count)
      return File(
        path: parts.joined(separator: "/"), folder: parts.count > 1 ? parts.first! : module,
        lines: lines)
    }
  }
}
