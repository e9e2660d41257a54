import Foundation

/// A copy of the package with only the modules, and the test targets that are needed.
struct PackageCopy {
  let root: URL
  let directory: URL
  let testTargets: [String]
  /// The modules whose files are written by others.
  let mutated: [String]

  private static let support = ["AllocationCounter", "RetainCounter", "TestSupport"]

  /// Makes the copy, or brings it up to date.
  ///
  /// What hasn't changed is not written, so that it isn't
  /// built again.
  func update() throws {
    let files = FileManager.default
    try files.createDirectory(at: directory, withIntermediateDirectories: true)
    let sources = root.appending(path: "Sources")
    for module in try files.contentsOfDirectory(atPath: sources.path) {
      try Self.mirror(
        sources.appending(path: module), to: directory.appending(path: "Sources/\(module)"),
        isMutated: mutated.contains(module))
    }
    for target in Self.support + testTargets {
      let path = try path(of: target)
      try Self.mirror(root.appending(path: path), to: directory.appending(path: path))
    }
    let source = "Tests/Mutants/Switch/MutantSwitch.c"
    // Every test links this target.
    try Self.write(
      try Data(contentsOf: root.appending(path: source)),
      to: directory.appending(path: "\(path(of: "AllocationCounter"))/MutantSwitch.c"))
    try Self.write(Data(try manifest().utf8), to: directory.appending(path: "Package.swift"))
  }

  private static func mirror(_ source: URL, to target: URL, isMutated: Bool = false) throws {
    let files = FileManager.default
    try files.createDirectory(at: target, withIntermediateDirectories: true)
    let wanted = try files.subpathsOfDirectory(atPath: source.path).filter { !$0.contains(".docc") }
    for path in wanted {
      var isDirectory: ObjCBool = false
      let from = source.appending(path: path).resolvingSymlinksInPath()
      _ = files.fileExists(atPath: from.path, isDirectory: &isDirectory)
      let to = target.appending(path: path)
      if isDirectory.boolValue {
        try files.createDirectory(at: to, withIntermediateDirectories: true)
      } else if !isMutated {
        try write(try Data(contentsOf: from), to: to)
      }
    }
    let isWanted = Set(wanted + (isMutated ? [Schema.support] : []))
    for path in try files.subpathsOfDirectory(atPath: target.path)
    where path.hasSuffix(".swift") && !isWanted.contains(path) {
      try files.removeItem(at: target.appending(path: path))
    }
  }

  private static func write(_ data: Data, to url: URL) throws {
    if let present = try? Data(contentsOf: url), present == data { return }
    try data.write(to: url)
  }

  /// The path that the manifest gives a target of the tests.
  private func path(of target: String) throws -> String {
    let folder = "/\(target)\""
    let line = try text().split(separator: "\n").first { $0.contains(folder) }
    guard let line, let start = line.range(of: "Tests/")?.lowerBound else {
      throw CocoaError(.fileNoSuchFile, userInfo: [NSFilePathErrorKey: target])
    }
    return String(line[start...].prefix { $0 != "\"" })
  }

  private func text() throws -> String {
    try String(contentsOf: root.appending(path: "Package.swift"), encoding: .utf8)
  }

  /// The package's manifest without products, and without targets that aren't copied.
  private func manifest() throws -> String {
    let text = try text()
    let modules = try FileManager.default.contentsOfDirectory(
      atPath: root.appending(path: "Sources").path)
    let names = Set(modules + Self.support + testTargets)
    var kept: [String] = []
    var target: [String] = []
    var isInProducts = false
    var isInTargets = false
    for line in text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
      if line == "  products: [" { isInProducts = true }
      if isInProducts {
        if line == "  ]," { isInProducts = false }
        continue
      }
      if line == "  targets: [" { isInTargets = true }
      if line == "  ]," { isInTargets = false }
      if target.isEmpty, !isInTargets || !line.hasPrefix("    .") {
        kept.append(line)
        continue
      }
      target.append(line)
      guard Text(target.joined(separator: "\n")).balance.end == 0 else { continue }
      let name = target.joined().split(separator: "\"").dropFirst().first.map(String.init)
      if let name, names.contains(name) { kept += target }
      target = []
    }
    return kept.joined(separator: "\n")
  }
}
