import ComposableEnvironment
import Foundation
import Testing

@testable import linkcheck

@Suite("Files on disk")
struct DiskTests {
  @Test("symbolic links are not followed in search of files, but may be linked to")
  func symbolicLinks() async throws {
    let manager = FileManager.default
    let folder = Path(manager.temporaryDirectory.path).resolving("linkcheck-\(UUID())")
    let (sub, file) = (folder.resolving("sub"), folder.resolving("sub/a.md"))
    try manager.createDirectory(atPath: sub.string, withIntermediateDirectories: true)
    defer { try? manager.removeItem(atPath: folder.string) }
    try Data("[a](loop/sub/a.md) \u{FF}[b](gone)".utf8).write(to: URL(filePath: file.string))
    let links = ["sub/loop": folder, "a.md": file, "sub/gone": folder.resolving("nothing")]
    for (link, target) in links {
      try manager.createSymbolicLink(
        atPath: folder.resolving(link).string, withDestinationPath: target.string)
    }

    let report = await LinkChecker().check(folder)
    #expect(report.files == 1)
    #expect(report.links == 2)
    #expect(
      report.broken == [
        BrokenLink(file: file, line: 1, link: "gone", problem: Problem(text: "no such file"))
      ])
  }

  @Test("a device may be linked to, and isn't searched")
  func device() async throws {
    #expect(FileSystem.defaultValue.kind("/dev/null") == .file)
    #expect(try FileSystem.defaultValue.entries("/dev").allSatisfy { $0 != "/dev/null" })
    let report = await DependencyScope.root
      .with {
        $0.fileSystem.read = { _ in "[a](/null) [b](null#c)" }
        $0.pages = Pages([], in: "/dev")
        $0.baseFolder = "/dev"
      }
      .run { await FileChecker().check("/a.md") }
    #expect(report.links == 2 && report.broken == [])
  }

  @Test("invalid UTF-8 is still read")
  func lossy() async throws {
    let path = Path(FileManager.default.temporaryDirectory.path).resolving("\(UUID()).md")
    try Data([0x5B, 0x61, 0xFF, 0x5D, 0x28, 0x62, 0x29]).write(to: URL(filePath: path.string))
    defer { try? FileManager.default.removeItem(atPath: path.string) }
    #expect(try await FileSystem.defaultValue.read(path) == "[a\u{FFFD}](b)")
  }
}
