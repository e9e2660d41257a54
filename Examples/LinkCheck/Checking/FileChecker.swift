package import ComposableEnvironment

/// Checks the links of one file.
package struct FileChecker: ComposableEnvironment {
  package let scope = DependencyScope.current
  @Dependency(\.anchorIndex) var anchorIndex
  @Dependency(\.fileSystem) var fileSystem
  @Dependency(\.output) var output
  @DerivedEnvironment<TargetChecker> var targetChecker

  package init() {}

  /// Returns the broken links of a file; `nil` if the task was cancelled before they were known.
  package func check(_ file: Path) async -> FileReport? {
    do {
      try Task.checkCancellation()
      let document = Document(try await fileSystem.read(file), of: file)
      anchorIndex[file] = document.anchors
      return try await check(document, in: file)
    } catch is CancellationError {
      return nil
    } catch {
      return FileReport(broken: [.unreadable(file, error)])
    }
  }

  private func check(_ document: Document, in file: Path) async throws -> FileReport {
    var report = FileReport()
    for link in document.links {
      guard let problem = try await problem(with: link, in: document, file) else { continue }
      report.broken.append(
        BrokenLink(file: file, line: link.line, link: link.text, problem: problem))
    }
    report.links = document.links.count
    output.progress(counted(report.links, "link"))
    return report
  }

  private func problem(
    with link: Link, in document: Document, _ file: Path
  ) async throws -> Problem? {
    switch link.target {
    case .undefinedReference(let label):
      return .noDefinition(label)
    case .sameFile(let anchor):
      guard let anchor, !document.anchors.contains(anchor) else { return nil }
      return .noHeading(anchor, file)
    case .article(let name, let anchor):
      return try await targetChecker.problem(withArticle: name, anchor)
    case .file(let path, let anchor):
      return try await targetChecker.problem(with: path, anchor)
    }
  }
}
