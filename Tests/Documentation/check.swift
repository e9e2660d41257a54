import Foundation

// Checks the folder that `check.sh` fills. Fails for a public symbol without a comment, and for a
// page directly below a library's that no topic lists. Members of a type may be listed by DocC.

let output = URL(filePath: CommandLine.arguments[1])

struct SymbolGraph: Decodable {
  struct Symbol: Decodable {
    struct Kind: Decodable {
      let identifier: String
    }
    struct Comment: Decodable {}

    let kind: Kind
    let pathComponents: [String]
    let docComment: Comment?
  }

  let symbols: [Symbol]
}

struct Page: Decodable {
  struct Identifier: Decodable {
    let url: URL
  }
  struct Section: Decodable {
    let identifiers: [String]
    let generated: Bool?
  }

  let identifier: Identifier
  let topicSections: [Section]?

  /// Whether a topic must list the page.
  ///
  /// Only a page directly below a library's.
  var needsTopic: Bool { identifier.url.pathComponents.count == 4 }
}

func decode<Value: Decodable>(
  _ type: Value.Type, fromFilesWith isWanted: (URL) -> Bool
) throws -> [(file: URL, value: Value)] {
  let files = FileManager.default.enumerator(at: output, includingPropertiesForKeys: nil)
  return try (files?.compactMap { $0 as? URL } ?? []).filter(isWanted)
    .sorted { $0.path < $1.path }
    .map { ($0, try JSONDecoder().decode(type, from: Data(contentsOf: $0))) }
}

let graphs = try decode(SymbolGraph.self) { $0.path.hasSuffix(".symbols.json") }
let pages = try decode(Page.self) {
  $0.path.contains("/data/documentation/") && $0.pathExtension == "json"
}.map(\.value)

let symbols = graphs.flatMap { file, graph in
  graph.symbols.filter { $0.kind.identifier != "swift.extension" }.map { (file, $0) }
}
let named = Set(
  pages.flatMap { $0.topicSections ?? [] }.filter { $0.generated != true }.flatMap(\.identifiers))

var failures = symbols.filter { $1.docComment == nil }.map { file, symbol in
  "\(file.lastPathComponent): \(symbol.pathComponents.joined(separator: ".")) has no comment"
}
failures += pages.filter { $0.needsTopic && !named.contains($0.identifier.url.absoluteString) }
  .map { "no topic names \($0.identifier.url.absoluteString)" }
if symbols.isEmpty || pages.count < symbols.count {
  failures.append("there are pages missing, or all of them")
}
for failure in failures { print("FAILED: \(failure)") }
print("documentation: \(symbols.count) public symbols on \(pages.count) pages")
exit(failures.isEmpty ? 0 : 1)
