/// Returns the lines in which a value differs from the expected one, with the lines that enclose
/// them; `nil` if no difference can be shown.
func difference(between expected: Any, and actual: Any) -> String? {
  if let difference = shallowDifference(between: expected, and: actual) { return difference }
  guard let (path, expected, actual) = deepDifference(between: expected, and: actual) else {
    return nil
  }
  let place = "  … (\(path.count) levels deep, in \(shorten(path.joined(separator: "."))))"
  return shallowDifference(between: expected, and: actual).map { "\(place)\n\($0)" }
}

private func shallowDifference(between expected: Any, and actual: Any) -> String? {
  for usesDescriptions in [true, false] {
    let dump = PairDump(expected, actual, usesDescriptions: usesDescriptions)
    let (old, new) = (dump.old, dump.new)
    // A type's own description may hide the difference.
    if old.lines != new.lines {
      return LineDifference(
        from: old.lines, to: new.lines, omissions: old.omissions, isCut: old.isCut || new.isCut
      ).description
    }
  }
  return nil
}

/// Returns the differing parts of values whose dumps are the same up to the depth limit, and the
/// path to them.
private func deepDifference(
  between expected: Any, and actual: Any
) -> (path: [String], expected: Any, actual: Any)? {
  var path: [String] = []
  var objects: Set<ObjectIdentifier> = []
  var (expected, actual) = (expected, actual)
  while true {
    if type(of: expected) is AnyObject.Type,
      !objects.insert(ObjectIdentifier(expected as AnyObject)).inserted
    {
      return nil
    }
    let (old, new) = (Mirror(reflecting: expected).children, Mirror(reflecting: actual).children)
    guard old.count == new.count,
      let (old, new) = zip(old, new).first(where: { !areEqual($0.value, $1.value) })
    else { return path.count > Dump.depthLimit ? (path, expected, actual) : nil }
    path.append(old.label ?? "…")
    (expected, actual) = (old.value, new.value)
    if path.count % (Dump.depthLimit / 2) == 0,
      shallowDifference(between: expected, and: actual) != nil
    {
      return (path, expected, actual)
    }
  }
}

/// Describes a value on one line, up to a limit.
func short(_ value: Any) -> String {
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
