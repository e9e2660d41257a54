import Foundation

/// Lines of fields, separated by tabs: what a campaign found, and what is kept about it.
struct Lines {
  let url: URL

  /// The fields of a mutant, and those that follow.
  func read() throws -> [(mutant: Mutant, rest: [String])] {
    guard FileManager.default.fileExists(atPath: url.path) else { return [] }
    let text = try String(contentsOf: url, encoding: .utf8)
    return try text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { line in
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      guard fields.count >= 5, let kind = Mutant.Kind(rawValue: fields[1]),
        let ordinal = Int(fields[4])
      else { throw Failure("\(url.path) has a line that is no mutant: \(line)") }
      let mutant = Mutant(
        file: fields[0], kind: kind, original: fields[2], replacement: fields[3], ordinal: ordinal)
      return (mutant, Array(fields[5...]))
    }
  }

  func append(_ mutant: Mutant, _ rest: [String]) throws {
    let line = (mutant.fields + rest).joined(separator: "\t") + "\n"
    if !FileManager.default.fileExists(atPath: url.path) {
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data().write(to: url)
    }
    let file = try FileHandle(forWritingTo: url)
    defer { try? file.close() }
    try file.seekToEnd()
    try file.write(contentsOf: Data(line.utf8))
  }
}
