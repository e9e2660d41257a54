import ComposableEnvironment

/// Looks up what DocC finds by name, anywhere in a bundle.
struct BundleChecker: ComposableEnvironment {
  let scope = DependencyScope.current
  @Dependency(\.baseFolder) var baseFolder
  @Dependency(\.bundleIndex) var bundleIndex
  @Dependency(\.fileSystem) var fileSystem

  /// Whether an asset has a name, with or without extension.
  func hasAsset(_ name: String) -> Bool {
    !name.contains("/") && bundle?.assets.contains(name) == true
  }

  /// Returns the file of an article, by its name.
  func article(_ name: String) -> Path? {
    bundle?.articles[name]
  }

  /// The bundle of the file that is being checked: the one that contains it, or its module's.
  private var bundle: BundleIndex.Bundle? {
    let home = bundleIndex.home(of: baseFolder) { bundleFolder(above: baseFolder) }
    return home.map { home in bundleIndex.bundle(home) { contents(of: home) } }
  }

  private func bundleFolder(above folder: Path) -> Path? {
    var folder = folder
    while folder != "/" {
      if folder.fileExtension == "docc" { return folder }
      let entries = (try? fileSystem.entries(folder)) ?? []
      let bundle = entries.first {
        $0.kind == .folder && folder.resolving($0.name).fileExtension == "docc"
      }
      if let bundle { return folder.resolving(bundle.name) }
      if entries.contains(where: { $0.name == "Package.swift" }) { return nil }
      folder = folder.folder
    }
    return nil
  }

  private func contents(of bundle: Path) -> BundleIndex.Bundle {
    var contents = BundleIndex.Bundle()
    var folders = [bundle]
    while let folder = folders.popLast() {
      for entry in (try? fileSystem.entries(folder)) ?? [] {
        let path = folder.resolving(entry.name)
        if entry.kind == .folder {
          folders.append(path)
        } else if path.isMarkdown || path.fileExtension == "tutorial" {
          let name = entry.name.withoutExtension.replacing(" ", with: "-")
          // A link may lead to a tutorial of the same name, whose headings aren't known.
          if contents.articles[name]?.isMarkdown != false { contents.articles[name] = path }
        } else if path.fileExtension != "swift" {
          contents.assets.formUnion(entry.name.assetNames)
        }
      }
    }
    return contents
  }
}

extension String {
  fileprivate var withoutExtension: String {
    lastIndex(of: ".").map { String(self[..<$0]) } ?? self
  }

  /// The names of an asset: `wave` and `wave.png` for `wave~dark@2x.png`.
  fileprivate var assetNames: [String] {
    var name = withoutExtension
    let end = dropFirst(name.count)
    for _ in 0..<2 {
      for trait in ["~dark", "~light", "@1x", "@2x", "@3x"] where name.hasSuffix(trait) {
        name.removeLast(trait.count)
      }
    }
    return [self, name, name + end]
  }
}
