/// The lines of a dump, up to a limit.
struct DumpOutput {
  private(set) var lines: [String] = []
  /// Whether something was left out.
  var isCut = false

  /// The maximum number of lines.
  let limit: Int
  /// The maximum number of characters of a text.
  let textLimit: Int

  init(limit: Int = 200_000, textLimit: Int = .max) {
    self.limit = limit
    self.textLimit = textLimit
  }

  /// An empty output for a part, with the same limits.
  var part: DumpOutput {
    DumpOutput(limit: max(limit - lines.count, 0), textLimit: textLimit)
  }

  /// Returns whether the output is full, and marks it as cut in that case.
  mutating func isFull() -> Bool {
    if lines.count >= limit { isCut = true }
    return lines.count >= limit
  }

  mutating func append(
    _ line: String, at place: DumpPlace, isStart: Bool = true, isEnd: Bool = true
  ) {
    if isFull() { return }
    let indentation = String(repeating: "  ", count: place.depth)
    lines.append(
      indentation + (isStart ? place.prefix : "") + line + (isEnd && place.isPart ? "," : ""))
  }

  /// Appends the lines of another output.
  mutating func append(_ part: DumpOutput) {
    lines += part.lines
    if part.isCut { isCut = true }
  }
}

/// The position of a value in a dump.
struct DumpPlace {
  var depth = 0
  /// A label, in front of the first line.
  var prefix = ""
  /// Whether a comma follows the last line.
  ///
  /// Even the last part has a comma, so that appending a part doesn't change its line.
  var isPart = false

  func part(_ prefix: String = "") -> DumpPlace {
    DumpPlace(depth: depth + 1, prefix: prefix, isPart: true)
  }
}
