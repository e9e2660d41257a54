import ComposableEnvironment
import Foundation
import StandardDependencies
import Synchronization

/// Checks all files below a folder, several at a time.
///
/// An environment captures the scope that creates it. The environments that it derives are created
/// in that scope, too, on any task.
struct LinkChecker: ComposableEnvironment {
  let scope = DependencyScope.current
  @Dependency(\.continuousClock) var clock
  @Dependency(\.fileSystem) var fileSystem
  @Dependency(\.maxOpenFiles) var maxOpenFiles
  @DerivedEnvironment<FileChecker> var fileChecker

  /// Returns the broken links of a file, or of all files below a folder.
  ///
  /// A canceled task checks no further file, and the report says so.
  func check(_ start: Path) async -> Report {
    var report = Report()
    report.elapsed = await clock.measure {
      if fileSystem.kind(start) == .folder {
        let files = files(in: start, &report)
        await check(files.filter { $0.isMarkdown || $0.isSwift }, Pages(files, in: start), &report)
      } else {
        var ignored = Report()
        let files = files(in: Bundle.folder(around: start) ?? start.folder, &ignored)
        await check([start], Pages(files, in: start.folder), &report)
      }
    }
    return report
  }

  /// Returns all visible files below a folder.
  private func files(in folder: Path, _ report: inout Report) -> [Path] {
    if Task.isCancelled { report.isInterrupted = true }
    if report.isInterrupted { return [] }
    do {
      let visible = try fileSystem.entries(folder).filter { !$0.name.hasPrefix(".") }
      return visible.sorted().flatMap { path in
        fileSystem.kind(path) == .folder ? files(in: path, &report) : [path]
      }
    } catch {
      report.broken.append(BrokenLink(file: folder, problem: .unreadable(error)))
      return []
    }
  }

  private func check(_ files: [Path], _ pages: Pages, _ report: inout Report) async {
    let fileChecker = fileChecker.with(\.pages, pages)
    await withTaskGroup(of: Report.self) { group in
      for (index, file) in files.enumerated() {
        if index >= maxOpenFiles, let finished = await group.next() { report.add(finished) }
        // Each file has its own scope, which the environment carries into the task.
        let checker = fileChecker.with(\.baseFolder, file.folder)
        group.addTask { await checker.check(file) }
      }
      for await finished in group { report.add(finished) }
    }
  }
}

/// Checks the links of one file, in a scope in which `baseFolder` is the file's folder.
struct FileChecker: ComposableEnvironment {
  let scope = DependencyScope.current
  @Dependency(\.baseFolder) var baseFolder
  @Dependency(\.fileSystem) var fileSystem
  @Dependency(\.pages) var pages

  func check(_ file: Path) async -> Report {
    do {
      try Task.checkCancellation()
      let document = Document(try await fileSystem.read(file), of: file)
      pages.anchors.withLock { $0[file] = document.anchors }
      var report = Report(files: 1, links: document.links.count)
      for link in document.links {
        guard let problem = try await problem(with: link.target, in: file) else { continue }
        report.broken.append(
          BrokenLink(file: file, line: link.line, link: link.text, problem: problem))
      }
      return report
    } catch is CancellationError {
      return Report(isInterrupted: true)
    } catch {
      return Report(files: 1, broken: [BrokenLink(file: file, problem: .unreadable(error))])
    }
  }

  /// Returns what is wrong with the target of a link.
  private func problem(with target: Link.Target, in file: Path) async throws -> Problem? {
    let (page, anchor): (Path, String?)
    switch target {
    case .undefinedReference(let label):
      return Problem(text: "no definition of [\(label)]")
    case .sameFile(let name):
      (page, anchor) = (file, name)
    case .file(let path, let name):
      let folder = path.hasPrefix("/") ? pages.root : baseFolder
      (page, anchor) = (folder.resolving("./" + path), name)
      guard let kind = fileSystem.kind(page) else {
        let isAsset = pages.bundle(of: baseFolder)?.assets.contains(path) == true
        return isAsset ? nil : Problem(text: "no such file")
      }
      guard kind == .file, page.isMarkdown else { return nil }
    case .article(let name, let heading):
      let article = pages.bundle(of: baseFolder)?.articles[name]
      guard let article, article.isMarkdown else { return nil }
      (page, anchor) = (article, heading)
    }
    guard let anchor else { return nil }
    do {
      if try await anchors(of: page).contains(anchor) { return nil }
      if case .article = target, try await mayAdd(anchor, to: page) { return nil }
      return Problem(text: "no heading for #\(anchor) in ", file: page)
    } catch let error where !(error is CancellationError) {
      return .unreadable(error)
    }
  }

  /// Whether DocC may give an article an anchor that its text doesn't have.
  private func mayAdd(_ anchor: String, to article: Path) async throws -> Bool {
    // DocC keeps more of the punctuation, and adds some headings itself.
    let plain = headingAnchors([anchor.lowercased()])[0]
    if ["overview", "discussion", "topics", "see-also"].contains(plain) { return true }
    if try await anchors(of: article).contains(plain) { return true }
    // The page of a symbol also has the headings of its doc comment.
    return try await fileSystem.read(article).contains("# ``")
  }

  private func anchors(of file: Path) async throws -> Set<String> {
    if let known = pages.anchors.withLock({ $0[file] }) { return known }
    let anchors = Document(try await fileSystem.read(file), of: file).anchors
    pages.anchors.withLock { $0[file] = anchors }
    return anchors
  }
}
