import ComposableEnvironment
import Synchronization

/// The articles and assets of a DocC bundle, by the names that DocC knows.
struct Bundle {
  let folder: Path
  private(set) var articles: [String: Path] = [:]
  private(set) var assets: Set<String> = []

  /// Returns the bundle's folder of a file in a bundle, and the containing folder of other files.
  static func folder(of file: Path) -> Path {
    var folder = file.folder
    while folder != "/", folder.fileExtension != "docc" { folder = folder.folder }
    return folder == "/" ? file.folder : folder
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
  static var defaultValue: Pages { Pages([]) }

  private let bundles: [Bundle]
  private let anchors = Mutex<[Path: Set<String>]>([:])

  init(_ files: [Path]) {
    var bundles: [Path: Bundle] = [:]
    for file in files {
      let folder = Bundle.folder(of: file)
      guard folder.fileExtension == "docc" else { continue }
      bundles[folder, default: Bundle(folder: folder)].add(file)
    }
    self.bundles = Array(bundles.values)
  }

  /// The anchors of a file that has been read.
  subscript(file: Path) -> Set<String>? {
    get { anchors.withLock { $0[file] } }
    set { anchors.withLock { $0[file] = newValue } }
  }

  /// Returns the bundle that contains a folder, or its module's.
  func bundle(of folder: Path) -> Bundle? {
    bundles.first { folder == $0.folder || folder.isBelow($0.folder) }
      ?? bundles.filter { folder == $0.folder.folder || folder.isBelow($0.folder.folder) }
      .max { $0.folder.string.count < $1.folder.string.count }
  }
}
