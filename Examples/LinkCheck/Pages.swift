import ComposableEnvironment
import Synchronization

/// The articles and assets of a DocC bundle, by the names that DocC knows.
struct Bundle {
  private(set) var articles: [String: Path] = [:]
  private(set) var assets: Set<String> = []

  /// Returns the folder of the bundle that a path is in.
  static func folder(around path: Path) -> Path? {
    path.upwards.first { $0.fileExtension == "docc" }
  }

  fileprivate mutating func add(_ file: Path) {
    let end = file.fileExtension
    let name = String(file.name.dropLast(end.count + 1))
    if file.isMarkdown || end == "tutorial" {
      // A link may lead to a tutorial of the same name, whose headings aren't known.
      let name = name.replacing(" ", with: "-")
      if articles[name]?.isMarkdown != false { articles[name] = file }
    } else if end != "swift" {
      // `wave` and `wave.png` for `wave~dark@2x.png`
      let plain = name.replacing(/(~dark|~light|@[123]x)+$/, with: "")
      assets.formUnion([file.name, name, plain, "\(plain).\(end)"])
    }
  }
}

/// What is known about the files below the folder that is checked.
///
/// A dependency can be a reference, which everything in a scope then shares. The checker overrides
/// it with a new one for each run.
final class Pages: DependencyKey, Sendable {
  static var defaultValue: Pages { Pages([], in: "/") }

  /// The base of absolute links: the folder that is checked.
  let root: Path
  private let bundles: [Path: Bundle]
  /// The anchors of the files that have been read.
  let anchors = Mutex<[Path: Set<String>]>([:])

  init(_ files: [Path], in root: Path) {
    self.root = root
    bundles = files.reduce(into: [:]) { bundles, file in
      guard let folder = Bundle.folder(around: file) else { return }
      bundles[folder, default: Bundle()].add(file)
    }
  }

  /// Returns the bundle that contains a folder, or its module's.
  func bundle(of folder: Path) -> Bundle? {
    if let around = Bundle.folder(around: folder) { return bundles[around] }
    return folder.upwards.lazy
      .compactMap { above in self.bundles.first { $0.key.folder == above }?.value }.first
  }
}
