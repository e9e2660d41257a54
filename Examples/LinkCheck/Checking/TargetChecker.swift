import ComposableEnvironment
import Foundation

/// Checks the target of a link to another file.
///
/// It needs no parameter for the linking file: it's derived in that file's scope, and reads its
/// `baseFolder`.
struct TargetChecker: ComposableEnvironment {
  let scope = DependencyScope.current
  @Dependency(\.anchorIndex) var anchorIndex
  @Dependency(\.baseFolder) var baseFolder
  @Dependency(\.fileSystem) var fileSystem
  @Dependency(\.rootFolder) var rootFolder
  @DerivedEnvironment<BundleChecker> var bundleChecker

  func problem(with path: String, _ anchor: String?) async throws -> Problem? {
    let target =
      path.hasPrefix("/") ? rootFolder.resolving("." + path) : baseFolder.resolving(path)
    guard let kind = fileSystem.kind(target) else {
      return bundleChecker.hasAsset(path) ? nil : .noSuchFile
    }
    guard kind == .file, target.isMarkdown, let anchor else { return nil }
    return try await problem(with: anchor, in: target) { $0.contains(anchor) }
  }

  /// Returns what is wrong with a `doc:` link; `nil` if it may lead to a symbol.
  func problem(withArticle name: String, _ anchor: String?) async throws -> Problem? {
    guard let anchor, let article = bundleChecker.article(name), article.isMarkdown else {
      return nil
    }
    // DocC keeps more of the punctuation, and adds some headings itself.
    let plain = headingAnchors([anchor.lowercased()])[0]
    if ["overview", "discussion", "topics", "see-also"].contains(plain) { return nil }
    let problem = try await problem(with: anchor, in: article) {
      $0.contains(anchor) || $0.contains(plain)
    }
    // The page of a symbol also has the headings of its doc comment.
    if problem != nil, try await fileSystem.read(article).contains("# ``") { return nil }
    return problem
  }

  private func problem(
    with anchor: String, in target: Path, _ isThere: (Set<String>) -> Bool
  ) async throws -> Problem? {
    do {
      return isThere(try await anchors(of: target)) ? nil : .noHeading(anchor, target)
    } catch let error where !(error is CancellationError) {
      return .cannotBeRead(error.localizedDescription)
    }
  }

  private func anchors(of file: Path) async throws -> Set<String> {
    if let known = anchorIndex[file] { return known }
    let document = Document(try await fileSystem.read(file), of: file)
    anchorIndex[file] = document.anchors
    return document.anchors
  }
}
