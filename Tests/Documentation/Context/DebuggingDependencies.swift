extension DependencyReports {
  /// All but lost reads, of which other tests of this process have some at the same time.
  fileprivate static var all: Self { [.defaults, .unusedOverrides, .unfinishedTasks] }
}

/// Compares what the page's code prints with what the page shows.
///
/// The page's code is line 7, and those after it, of the file that the explanation names.
private func print(_ explanation: Explanation) {
  guard let page = ReadmeTests.pages.first(where: { $0.name == "DebuggingDependencies" }),
    let text = try? page.text, let blocks = try? page.blocks,
    let first = text.split(separator: "\n", omittingEmptySubsequences: false).firstIndex(
      of: "@Test(.dependencies { $0.retryLimit = 1 })")
  else {
    Issue.record("The page has no such code.")
    return
  }
  let printed = explanation.description.replacing(/\w+\/DebuggingDependencies\.md:(\d+)/) {
    "AppTests/SearchTests.swift:\((Int($0.1) ?? 0) - first + 6)"
  }
  #expect(blocks.contains { $0.language == "text" && $0.text == printed }, "\(printed)")
}
