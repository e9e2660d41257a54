/// Returns the lines in which a value differs from the expected one, with the lines that enclose
/// them; `nil` if no difference can be shown.
package func difference(between expected: Any, and actual: Any) -> String? {
  lineDifference(between: expected, and: actual)?.description
}

/// Returns only the lines in which two values differ.
package func changedLines(from old: Any, to new: Any) -> [String] {
  lineDifference(between: old, and: new)?.changedLines ?? []
}

private func lineDifference(between expected: Any, and actual: Any) -> LineDifference? {
  // A type's own description may hide the difference, or it is only which object it is.
  for isExact in [false, true] {
    var dump = Dump(isExact: isExact)
    let (old, new) = (dump.output(of: expected), dump.output(of: actual))
    if old.lines != new.lines {
      return LineDifference(from: old.lines, to: new.lines, isCut: old.isCut || new.isCut)
    }
  }
  return nil
}

/// Describes a value on one line, up to a limit.
package func short(_ value: Any) -> String {
  let limit = 120
  // Each line has at least one character.
  var output = DumpOutput(limit: limit, textLimit: 2 * limit)
  var dump = Dump(valueLimit: 5_000)
  dump.write(value, to: &output)
  let lines = output.lines.map { $0.drop { $0 == " " } }
  var text = ""
  for (line, next) in zip(lines, lines.dropFirst() + [""]) {
    let isLast = line.hasSuffix(",") && (next.hasPrefix(")") || next.hasPrefix("]"))
    text += isLast ? line.dropLast() : line
    if line.hasSuffix(","), !isLast { text += " " }
  }
  return output.isCut ? "\(text.prefix(limit))…" : shorten(text, to: limit)
}

/// Truncates a long text.
func shorten(_ text: String, to limit: Int = 120) -> String {
  text.count <= limit ? text : "\(text.prefix(limit))… (\(text.count - limit) more)"
}
