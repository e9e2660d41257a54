/// What a check has found.
struct Report {
  var files = 0
  var links = 0
  var broken: [BrokenLink] = []
  var isInterrupted = false
  var elapsed = Duration.zero

  /// Adds what was found in a file; nothing, where that was not read any more.
  mutating func add(_ file: FileReport?) {
    guard let file else {
      isInterrupted = true
      return
    }
    files += 1
    links += file.links
    broken += file.broken
  }

  /// In an order that does not depend on which task was faster.
  var sortedBroken: [BrokenLink] {
    broken.sorted { ($0.file, $0.line, $0.link) < ($1.file, $1.line, $1.link) }
  }
}

/// What was found in one file.
struct FileReport {
  var links = 0
  var broken: [BrokenLink] = []
}
