import ComposableEnvironment

/// Checks the links of one file.
struct FileChecker: ComposableEnvironment {
  let scope = DependencyScope.current
  @Dependency(\.anchorIndex) var anchorIndex
  @Dependency(\.fileSystem) var fileSystem
  @Dependency(\.output) var output
  @DerivedEnvironment<TargetChecker> var targetChecker

  /// What is broken in the file; nothing, where the task was cancelled before that was known.
  func check(_ file: Path) async -> FileReport? {
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
    case .file(let path, let anchor):
      return try await targetChecker.problem(with: path, anchor)
    }
  }
}
