import Foundation

// Writes one file of tests for each page. A block of Swift goes
// - to the place that the page's context, `Context/<Page>.swift`, has for it:
//   `// block: <the words that begin one of its lines>`;
// - otherwise, if it declares something, outside of all functions;
// - otherwise into a test that runs such blocks in their order. Each sees the names of those before.
// `assert` becomes `#expect`, and a block that an earlier page has too is compiled once.
//
// The file imports what its page imports or names, and Testing. A context may import more, but
// nothing that is documented here, and not Foundation: that would hide an import missing on the page.
// What needs more is in `ReadmeTests/SharedDependencies.swift`.

let arguments = CommandLine.arguments
let (contexts, output) = (URL(filePath: arguments[1]), URL(filePath: arguments[2]))
let documented = Set((arguments[3] + ",Foundation").split(separator: ",").map { "import \($0)" })

var pages = try arguments.dropFirst(4).map { try Page(URL(filePath: $0)) }
var known: [Page.Block] = []
for index in pages.indices {
  pages[index].remove(known)
  known += pages[index].blocks
}

for var page in pages {
  var lines = ["import Testing"] + page.imports

  let context = contexts.appending(path: "\(page.name).swift")
  if let text = try? String(contentsOf: context, encoding: .utf8) {
    lines.append("#sourceLocation(file: \"\(context.path)\", line: 1)")
    for (number, line) in text.components(separatedBy: "\n").enumerated() {
      if documented.contains(line) {
        print("\(context.path):\(number + 1): error: import this on \(page.name).md")
        exit(1)
      }
      guard let range = line.range(of: "// block: ") else {
        lines.append(line)
        continue
      }
      guard let block = page.takeBlock(with: String(line[range.upperBound...])) else {
        print("\(context.path):\(number + 1): error: \(page.name).md has no such block left")
        exit(1)
      }
      lines += page.code(of: block)
      lines.append("#sourceLocation(file: \"\(context.path)\", line: \(number + 2))")
    }
    lines.append("#sourceLocation()")
  }

  lines += page.blocks.filter(\.isDeclarations).flatMap { page.code(of: $0) }
  let statements = page.blocks.filter { !$0.isDeclarations }
  if !statements.isEmpty {
    lines += [
      "@Test(\"the code of \(page.name) does what it says\", .ownDependencies)",
      "func codeOf\(page.name)() async throws {",
    ]
    for block in statements { lines += ["do {"] + page.code(of: block) }
    lines += Array(repeating: "}", count: statements.count + 1)
  }
  try lines.joined(separator: "\n").appending("\n")
    .write(to: output.appending(path: "\(page.name)Page.swift"), atomically: true, encoding: .utf8)
}
