import ComposableEnvironment
import Foundation

/// Checks what a link to another file points to.
///
/// It is given no file to start from: it is derived in the scope of the file that has the link, and
/// reads its `baseFolder`.
struct TargetChecker: ComposableEnvironment {
  let scope = DependencyScope.current
  @Dependency(\.anchorIndex) var anchorIndex
  @Dependency(\.baseFolder) var baseFolder
  @Dependency(\.fileSystem) var fileSystem
  @Dependency(\.rootFolder) var rootFolder

  func problem(with path: String, _ anchor: String?) async throws -> Problem? {
    let target =
      path.hasPrefix("/") ? rootFolder.resolving("." + path) : baseFolder.resolving(path)
    guard let kind = fileSystem.kind(target) else { return .noSuchFile }
    guard kind == .file, target.isMarkdown, let anchor else { return nil }
    do {
      return try await anchors(of: target).contains(anchor) ? nil : .noHeading(anchor, target)
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
