import ComposableEnvironment
import Foundation
import StandardDependencies

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
  /// If its task is cancelled, it begins no further file, and the report says so.
  func check(_ start: Path) async -> Report {
    var report = Report()
    report.elapsed = await clock.measure {
      if fileSystem.kind(start) == .folder {
        let files = files(in: start, &report)
        await check(files.filter { $0.isMarkdown || $0.isSwift }, Pages(files), &report)
      } else {
        var ignored = Report()
        await check([start], Pages(files(in: Bundle.folder(of: start), &ignored)), &report)
      }
    }
    return report
  }

  /// Returns all visible files below a folder.
  private func files(in start: Path, _ report: inout Report) -> [Path] {
    var files: [Path] = []
    var folders = [start]
    while let folder = folders.popLast(), !Task.isCancelled {
      do {
        for (path, kind) in try fileSystem.entries(folder) where !path.name.hasPrefix(".") {
          if kind == .folder { folders.append(path) } else { files.append(path) }
        }
      } catch {
        report.broken.append(.unreadable(folder, error))
      }
    }
    report.isInterrupted = Task.isCancelled
    return files.sorted()
  }

  private func check(_ files: [Path], _ pages: Pages, _ report: inout Report) async {
    let fileChecker = fileChecker.with(\.pages, pages)
    await withTaskGroup(of: Report.self) { group in
      for (index, file) in files.enumerated() {
        if index >= maxOpenFiles, let finished = await group.next() { report.add(finished) }

        // Each file has its own scope, which the environment carries into the task.
        let checker = fileChecker.with(\.baseFolder, file.folder)
        guard group.addTaskUnlessCancelled(operation: { await checker.check(file) }) else {
          report.isInterrupted = true
          break
        }
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
  @Dependency(\.rootFolder) var rootFolder

  func check(_ file: Path) async -> Report {
    do {
      try Task.checkCancellation()
      let document = Document(try await fileSystem.read(file), of: file)
      pages[file] = document.anchors
      var report = Report(files: 1, links: document.links.count)
      for link in document.links {
        if let problem = try await problem(with: link.target, in: file) {
          report.broken.append(
            BrokenLink(file: file, line: link.line, link: link.text, problem: problem))
        }
      }
      return report
    } catch is CancellationError {
      return Report(isInterrupted: true)
    } catch {
      return Report(files: 1, broken: [.unreadable(file, error)])
    }
  }

  /// Returns what is wrong with the target of a link.
  private func problem(with target: Link.Target, in file: Path) async throws -> Problem? {
    switch target {
    case .undefinedReference(let label):
      return .noDefinition(label)
    case .sameFile(let anchor):
      return try await problem(with: anchor, in: file)
    case .article(let name, let anchor):
      return try await problem(withArticle: name, anchor)
    case .file(let path, let anchor):
      let target =
        path.hasPrefix("/") ? rootFolder.resolving("." + path) : baseFolder.resolving(path)
      guard let kind = fileSystem.kind(target) else {
        return pages.bundle(of: baseFolder)?.assets.contains(path) == true ? nil : .noSuchFile
      }
      guard kind == .file, target.isMarkdown else { return nil }
      return try await problem(with: anchor, in: target)
    }
  }

  /// Returns what is wrong with a `doc:` link; `nil` if it may lead to a symbol.
  private func problem(withArticle name: String, _ anchor: String) async throws -> Problem? {
    guard let article = pages.bundle(of: baseFolder)?.articles[name], article.isMarkdown else {
      return nil
    }
    // DocC keeps more of the punctuation, and adds some headings itself.
    let plain = headingAnchors([anchor.lowercased()])[0]
    if ["overview", "discussion", "topics", "see-also"].contains(plain) { return nil }
    let problem = try await problem(with: anchor, or: plain, in: article)
    // The page of a symbol also has the headings of its doc comment.
    if problem != nil, try await fileSystem.read(article).contains("# ``") { return nil }
    return problem
  }

  private func problem(
    with anchor: String?, or other: String? = nil, in file: Path
  ) async throws -> Problem? {
    guard let anchor else { return nil }
    do {
      let anchors = try await anchors(of: file)
      return anchors.contains(anchor) || other.map(anchors.contains) == true
        ? nil : .noHeading(anchor, file)
    } catch let error where !(error is CancellationError) {
      return .cannotBeRead(error.localizedDescription)
    }
  }

  private func anchors(of file: Path) async throws -> Set<String> {
    if let known = pages[file] { return known }
    let anchors = Document(try await fileSystem.read(file), of: file).anchors
    pages[file] = anchors
    return anchors
  }
}
