/// How a value differs from the expected one: line by line, only what differs, with what encloses
/// it; nothing where no difference can be shown.
func difference(between expected: Any, and actual: Any) -> String? {
  for usesDescriptions in [true, false] {
    var dump = Dump(usesDescriptions: usesDescriptions)
    let (old, new) = (dump.lines(of: expected), dump.lines(of: actual))
    // A type's own description may hide what differs.
    if old != new { return LineDifference(from: old, to: new).description }
  }
  return nil
}

/// A value on one line, shortened where it is long.
func short(_ value: Any) -> String {
  var dump = Dump()
  let lines = dump.lines(of: value).map { $0.drop { $0 == " " } }
  var text = ""
  for (line, next) in zip(lines, lines.dropFirst() + [""]) {
    let isLast = line.hasSuffix(",") && (next.hasPrefix(")") || next.hasPrefix("]"))
    text += isLast ? line.dropLast() : line
    if line.hasSuffix(","), !isLast { text += " " }
  }
  return shorten(text)
}

/// The start of a text, where it is long.
func shorten(_ text: String, to limit: Int = 120) -> String {
  text.count <= limit ? text : "\(text.prefix(limit))… (\(text.count - limit) more)"
}
