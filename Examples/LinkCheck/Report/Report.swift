/// The result of a check.
package struct Report {
  package var files = 0
  package var links = 0
  package var broken: [BrokenLink] = []
  package var isInterrupted = false
  package var elapsed = Duration.zero

  package init(
    files: Int = 0, links: Int = 0, broken: [BrokenLink] = [], isInterrupted: Bool = false,
    elapsed: Duration = .zero
  ) {
    self.files = files
    self.links = links
    self.broken = broken
    self.isInterrupted = isInterrupted
    self.elapsed = elapsed
  }

  /// Adds the result of a file; `nil` means that the file wasn't read.
  package mutating func add(_ file: FileReport?) {
    guard let file else {
      isInterrupted = true
      return
    }
    files += 1
    links += file.links
    broken += file.broken
  }

  /// Sorted, so that the order doesn't depend on the speed of tasks.
  var sortedBroken: [BrokenLink] {
    broken.sorted { ($0.file, $0.line, $0.link) < ($1.file, $1.line, $1.link) }
  }
}

/// The result of one file.
package struct FileReport: Codable {
  package var links = 0
  package var broken: [BrokenLink] = []

  package init(links: Int = 0, broken: [BrokenLink] = []) {
    self.links = links
    self.broken = broken
  }
}
