import Foundation

/// A module's source files with slips, which compile.
struct Building {
  let copy: URL
  let module: String
  /// The original source of each file.
  let sources: [String: String]
  private(set) var slips: [Slip]
  /// The lines on which something didn't compile before.
  private var failedLines: Set<String> = []

  init(copy: URL, module: String, slips: [Slip], sources: [String: String]) {
    (self.copy, self.module, self.slips, self.sources) = (copy, module, slips, sources)
  }

  /// Plants the slips, without those that don't compile.
  mutating func build() throws {
    try write()
    for _ in 0..<40 {
      let output = try run(["swift", "build", "--package-path", copy.path, "--target", module])
      let errors = output.text.matches(of: /(?m)^(\/[^:\n]*\.swift):(\d+):(\d+): error: (.*)$/)
      if output.status == 0 { return }
      if errors.isEmpty, try forgetBuild() { continue }
      guard !errors.isEmpty else { fail("\(module) doesn't build:\n\(output.text.suffix(3000))") }
      let count = slips.count
      for error in errors { drop(at: String(error.1), Int(error.2)!, Int(error.3)!) }
      guard slips.count < count else { fail("No slip explains:\n\(output.text.suffix(3000))") }
      try write()
    }
    fail("\(module) still doesn't build.")
  }

  /// Lets the next build compile the whole module: after many errors, the compiler may report a circular
  /// reference instead of what is wrong.
  ///
  /// - Returns: Whether there was anything to forget.
  private func forgetBuild() throws -> Bool {
    let folder = copy.appending(path: ".build/debug/\(module).build")
    let files = try FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: nil)
    let known = files.filter { ["swiftdeps", "priors"].contains($0.pathExtension) }
    for file in known { try FileManager.default.removeItem(at: file) }
    return !known.isEmpty
  }

  private func write() throws {
    for (file, source) in sources {
      let text = planted(slips.filter { $0.file == file }, in: source)
      let url = copy.appending(path: file)
      if try String(contentsOf: url, encoding: .utf8) != text {
        try text.write(to: url, atomically: true, encoding: .utf8)
      }
    }
  }

  /// Leaves out what can't compile because of an error at a place of the planted source.
  private mutating func drop(at path: String, _ line: Int, _ column: Int) {
    guard let file = sources.keys.first(where: { path.hasSuffix("/" + $0) }) else { return }
    let planted = planted(slips.filter { $0.file == file }, in: sources[file]!)
    let isAgain = !failedLines.insert("\(file):\(line)").inserted
    let lines = planted.split(separator: "\n", omittingEmptySubsequences: false)
    guard line <= lines.count else { return }
    // In a statement or an expression that begins on this line, or in the nearest one before it.
    let onLine = slips.filter { $0.file == file && $0.line == line }
    if !onLine.isEmpty {
      let before = lines[line - 1].utf8.prefix(column - 1)
      let text = String(decoding: before, as: UTF8.self)
      let numbers = text.matches(of: /slip\((\d+)\)/).compactMap { Int($0.1) }
      let nearest = numbers.last { number in onLine.contains { $0.number == number } }
      slips.removeAll { slip in
        slip.file == file && slip.line == line
          && (isAgain || nearest == nil || slip.number == nearest)
      }
      return
    }
    if let nearest = slips.filter({ $0.file == file && $0.line < line }).max(by: {
      $0.line < $1.line
    }) {
      slips.removeAll { $0.file == file && $0.line == nearest.line }
    }
  }
}
