/// The articles and assets of a DocC bundle, by the names that DocC knows.
struct Bundle {
  let folder: Path
  private(set) var articles: [String: Path] = [:]
  private(set) var assets: Set<String> = []

  /// Returns the bundles that contain these files.
  static func bundles(of files: [Path]) -> [Bundle] {
    var bundles: [Path: Bundle] = [:]
    for file in files {
      let folder = folder(of: file)
      guard folder.fileExtension == "docc" else { continue }
      bundles[folder, default: Bundle(folder: folder)].add(file)
    }
    return Array(bundles.values)
  }

  /// Returns the bundle's folder of a file in a bundle, and the containing folder of other files.
  static func folder(of file: Path) -> Path {
    var folder = file.folder
    while folder != "/", folder.fileExtension != "docc" { folder = folder.folder }
    return folder == "/" ? file.folder : folder
  }

  private mutating func add(_ file: Path) {
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
