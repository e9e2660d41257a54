import Foundation
import Testing

/// Holds the page Rules and the tests to each other.
@Suite("Rules")
struct RulesTests {
  struct Rule: Sendable, CustomTestStringConvertible {
    let number: Int
    /// The ends of the paths of the files that the page names.
    let tests: [String]
    var testDescription: String { "rule \(number)" }
  }

  @Test("the page numbers its rules from 1")
  func numbers() throws {
    #expect(try !Self.rules.isEmpty)
    #expect(try Self.rules.map(\.number) == Array(1...Self.rules.count))
  }

  @Test(
    "each rule has a test that names it, in the files that the page lists", arguments: try rules)
  func hasTests(rule: Rule) throws {
    #expect(!rule.tests.isEmpty)
    for test in rule.tests {
      let files = try Self.files.get().filter { $0.url.path.hasSuffix("/\(test).swift") }
      #expect(files.count == 1, "the page names \(test)")
      #expect(
        files.allSatisfy { $0.rules.contains(rule.number) },
        "no test in \(test) is named “rule \(rule.number): …”")
    }
  }

  @Test("each rule that the name of a test cites is on the page")
  func citedRulesExist() throws {
    let known = Set(try Self.rules.map(\.number))
    for file in try Self.files.get() {
      #expect(file.rules.isSubset(of: known), "\(file.url.lastPathComponent)")
    }
  }
}

extension RulesTests {
  static var rules: [Rule] {
    get throws {
      let page = try #require(ReadmeTests.pages.first { $0.name == "Rules" })
      return try page.text.matches(of: /\n(\d+)\. \*\*.*/).map { match in
        let tests = match.0.split(separator: " Tests: ").dropFirst().joined()
        return Rule(
          number: try #require(Int(match.1)),
          tests: tests.matches(of: /`(.+?)`/).map { String($0.1) })
      }
    }
  }

  /// The files of tests, and the rules that names of tests and suites cite.
  static let files = Result {
    try ReadmeTests.tests.map { file in
      let lines = try file.text.split(separator: "\n").filter { $0.contains("ule") }
      let numbers = lines.flatMap { line in
        line.matches(of: /"[^"]*\b[Rr]ules? (\d+(?:, \d+)*)[^"]*"/)
          .flatMap { $0.1.split(separator: ", ").compactMap { Int($0) } }
      }
      return (url: file.url, rules: Set(numbers))
    }
  }
}
