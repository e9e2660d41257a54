import Foundation

// Given the folder that `check.sh` fills, fails for a public symbol without a comment, and for one
// that its parent's page lists only because DocC adds what no topic names.

let output = URL(filePath: CommandLine.arguments[1])
var failures: [String] = []
var counts = (symbols: 0, pages: 0)

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
    let url: String
  }
  struct Topic: Decodable {
    let identifiers: [String]
    let generated: Bool?
  }

  let identifier: Identifier
  let topicSections: [Topic]?
}

func files(withSuffix suffix: String) -> [URL] {
  let all = FileManager.default.enumerator(at: output, includingPropertiesForKeys: nil)
  return (all?.compactMap { $0 as? URL } ?? []).filter { $0.lastPathComponent.hasSuffix(suffix) }
    .sorted { $0.path < $1.path }
}

for file in files(withSuffix: ".symbols.json") {
  let graph = try JSONDecoder().decode(SymbolGraph.self, from: Data(contentsOf: file))
  let module = file.lastPathComponent.prefix { $0 != "." && $0 != "@" }
  for symbol in graph.symbols where symbol.kind.identifier != "swift.extension" {
    counts.symbols += 1
    if symbol.docComment == nil {
      failures.append("no comment: \(module)/\(symbol.pathComponents.joined(separator: "/"))")
    }
  }
}

for file in files(withSuffix: ".json") where file.path.contains("/data/documentation/") {
  let page = try JSONDecoder().decode(Page.self, from: Data(contentsOf: file))
  counts.pages += 1
  for topic in page.topicSections ?? [] where topic.generated == true {
    failures += topic.identifiers.map { "under no topic: \($0)" }
  }
}

for failure in failures { print("FAILED: \(failure)") }
print("documentation: \(counts.symbols) public symbols, \(counts.pages) pages")
exit(failures.isEmpty && counts.symbols > 0 && counts.pages > counts.symbols ? 0 : 1)
