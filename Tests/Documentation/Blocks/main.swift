import Foundation

// Writes one file of tests for each page, and one file of code for the comments of each module. A
// block of Swift goes
// - to the place that the page's context, `Context/<Page>.swift`, has for it:
//   `// block: <the words that begin one of its lines>`, behind what stands in front of its first line;
// - otherwise, if it declares something, outside of all functions;
// - otherwise into a test that runs such blocks in their order. Each sees the names of those before.
// `assert` becomes `#expect`, and a block that an earlier page has too is compiled once.
//
// The blocks of comments aren't run, and don't see each other: one without a place in the context goes
// into a function of its own, into a structure if it declares a test, or outside of functions if it extends
// something. `…` stands for any code.
//
// The file imports what its page imports or names, and Testing. A context may import more, but
// nothing that is documented here, and not Foundation: that would hide an import missing on the page.
// What needs more is in `ReadmeTests/SharedDependencies.swift`.

let arguments = CommandLine.arguments
let (contexts, output) = (URL(filePath: arguments[1]), URL(filePath: arguments[2]))
let documented = Set((arguments[3] + ",Foundation").split(separator: ",").map { "import \($0)" })

// A page, or a module and its files: `<Module>:<file>,<file>`.
var pages = try arguments.dropFirst(4).map { argument in
  let parts = argument.split(separator: ":", maxSplits: 1)
  return parts.count == 1 || argument.hasPrefix("/")
    ? try Page(URL(filePath: argument))
    : try Page(
      commentsOf: String(parts[0]), parts[1].split(separator: ",").map { URL(filePath: "\($0)") })
}
var known: [Page.Block] = []
for index in pages.indices {
  pages[index].remove(known)
  known += pages[index].blocks
}

for var page in pages {
  var lines = page.isComments ? page.imports : ["import Testing"] + page.imports

  let context = contexts.appending(path: "\(page.name).swift")
  if let text = try? String(contentsOf: context, encoding: .utf8) {
    lines.append("#sourceLocation(file: \"\(context.path)\", line: 1)")
    for (number, line) in text.components(separatedBy: "\n").enumerated() {
      if documented.contains(line), !page.isComments {
        print("\(context.path):\(number + 1): error: import this on \(page.name).md")
        exit(1)
      }
      guard let range = line.range(of: "// block: ") else {
        lines.append(line)
        continue
      }
      guard let block = page.takeBlock(with: String(line[range.upperBound...])) else {
        print("\(context.path):\(number + 1): error: \(page.name) has no such block left")
        exit(1)
      }
      lines += page.code(of: block, after: line[..<range.lowerBound].drop { $0 == " " })
      lines.append("#sourceLocation(file: \"\(context.path)\", line: \(number + 2))")
    }
    lines.append("#sourceLocation()")
  }

  if page.isComments {
    for (number, block) in page.blocks.enumerated() {
      if block.hasLine(beginningWith: "extension ") {
        lines += page.code(of: block)
      } else if ["@Test", "@Suite"].contains(where: block.hasLine) {
        lines += ["private struct Example\(number) {"] + page.code(of: block) + ["}"]
      } else {
        lines.append("private func example\(number)() async throws {")
        lines += page.code(of: block) + block.names.map { "_ = \($0)" } + ["}"]
      }
    }
    try write(lines, page)
    continue
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
  try write(lines, page)
}

func write(_ lines: [String], _ page: Page) throws {
  try lines.joined(separator: "\n").appending("\n")
    .write(to: output.appending(path: "\(page.name)Page.swift"), atomically: true, encoding: .utf8)
}
