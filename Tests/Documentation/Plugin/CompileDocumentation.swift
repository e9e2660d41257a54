import Foundation
import PackagePlugin

/// Adds the code of README and articles to a test target, so that `swift test` compiles and runs it, and
/// the code of comments to the target `CommentExamples`, so that it is compiled.
@main
struct CompileDocumentation: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    let root = context.package.directoryURL
    let contexts = root.appending(path: "Tests/Documentation/Context")
    let output = context.pluginWorkDirectoryURL
    if target.name == "CommentExamples" { return [try comments(context, contexts, output)] }
    var pages = try pages(of: root)
    if target.name == "MainActorClientTests" {
      pages = pages.filter { $0.lastPathComponent == "MainActorModules.md" }
    }
    let modules = target.dependencies.compactMap { dependency in
      if case .target(let module) = dependency { module } else { nil }
    }
    .filter { $0.directoryURL.deletingLastPathComponent().lastPathComponent == "Sources" }
    return [
      .buildCommand(
        displayName: "Taking the code out of README and articles",
        executable: try context.tool(named: "documentation-blocks").url,
        arguments: [contexts.path, output.path, modules.map(\.name).joined(separator: ",")]
          + pages.map(\.path),
        inputFiles: pages + files(below: contexts),
        outputFiles: pages.map { page in
          output.appending(path: "\(page.deletingPathExtension().lastPathComponent)Page.swift")
        })
    ]
  }

  private func comments(_ context: PluginContext, _ contexts: URL, _ output: URL) throws -> Command
  {
    let sources = context.package.directoryURL.appending(path: "Sources")
    let modules = try FileManager.default.contentsOfDirectory(atPath: sources.path).sorted()
      .map { module in
        let files = try files(below: sources.appending(path: module)).filter {
          try $0.pathExtension == "swift"
            && String(contentsOf: $0, encoding: .utf8).contains("/// ```swift\n")
        }
        return (module, files)
      }
      .filter { !$0.1.isEmpty }
    return .buildCommand(
      displayName: "Taking the code out of comments",
      executable: try context.tool(named: "documentation-blocks").url,
      arguments: [contexts.path, output.path, ""]
        + modules.map { "\($0):\($1.map(\.path).joined(separator: ","))" },
      inputFiles: modules.flatMap(\.1) + files(below: contexts),
      outputFiles: modules.map { output.appending(path: "\($0.0)CommentsPage.swift") })
  }

  /// README and the pages of the documentation catalogs that contain Swift.
  ///
  /// Without pages that import SwiftUI or UIKit: `Tests/Clients/StandIns/check.sh` compiles these.
  private func pages(of root: URL) throws -> [URL] {
    try ([root.appending(path: "README.md")] + files(below: root.appending(path: "Sources")))
      .filter { $0.pathExtension == "md" }
      .filter { page in
        let text = try String(contentsOf: page, encoding: .utf8)
        return text.contains("\n```swift\n")
          && !["SwiftUI", "UIKit"].contains { text.contains("\nimport \($0)\n") }
      }
  }

  private func files(below folder: URL) -> [URL] {
    let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
    return (files?.compactMap { $0 as? URL } ?? []).sorted { $0.path < $1.path }
  }
}
