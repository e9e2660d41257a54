import Foundation
import Testing

/// Holds the page Rules and the tests to each other.
@Suite("Rules")
struct RulesTests {
  @Test("the page numbers its rules from 1")
  func numbers() throws {
    #expect(try !Self.rules.isEmpty)
    #expect(try Self.rules == Array(1...Self.rules.count))
  }

  @Test("each rule has a test that names it", arguments: try rules)
  func hasTests(rule: Int) throws {
    #expect(
      try Self.files.get().contains { $0.rules.contains(rule) },
      "no test is named “rule \(rule): …”")
  }

  @Test("each rule that the name of a test cites is on the page")
  func citedRulesExist() throws {
    let known = Set(try Self.rules)
    for file in try Self.files.get() {
      #expect(file.rules.isSubset(of: known), "\(file.url.lastPathComponent)")
    }
  }
}

extension RulesTests {
  static var rules: [Int] {
    get throws {
      let page = try #require(ReadmeTests.pages.first { $0.name == "Rules" })
      return try page.text.matches(of: /\n(\d+)\. \*\*/).compactMap { Int($0.1) }
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
