/// The difference between two indented texts: removed and inserted lines, and the lines next to and
/// around them.
struct LineDifference: CustomStringConvertible {
  private struct Line {
    enum Kind: String {
      case same = " "
      case removed = "-"
      case inserted = "+"
    }

    let kind: Kind
    let text: String

    init(_ kind: Kind, _ text: String) { (self.kind, self.text) = (kind, text) }

    var indentation: Int { text.prefix { $0 == " " }.count }
  }

  /// The maximum number of differing lines to show.
  private static let limit = 60
  /// The maximum number of lines to diff.
  private static let comparable = 2000

  private let lines: [Line]
  private let isCut: Bool

  /// - Parameter isCut: Whether the texts are incomplete.
  init(from old: [String], to new: [String], isCut: Bool) {
    self.isCut = isCut
    let start = zip(old, new).prefix { $0 == $1 }.count
    let end = zip(old[start...].reversed(), new[start...].reversed()).prefix { $0 == $1 }.count
    lines =
      old[..<start].map { Line(.same, $0) }
      + Self.compare(old[start..<(old.count - end)], new[start..<(new.count - end)])
      + old[(old.count - end)...].map { Line(.same, $0) }
  }

  private static func compare(
    _ old: ArraySlice<String>, _ new: ArraySlice<String>
  ) -> [Line] {
    // Diffing takes time in proportion to the number of lines times the number of differences.
    guard max(old.count, new.count) <= comparable else {
      guard old.count == new.count else {
        return old.map { Line(.removed, $0) } + new.map { Line(.inserted, $0) }
      }
      return zip(old, new).flatMap { old, new in
        old == new ? [Line(.same, old)] : [Line(.removed, old), Line(.inserted, new)]
      }
    }
    let difference = Array(new).difference(from: Array(old))
    var removed: Set<Int> = []
    var inserted: Set<Int> = []
    for change in difference {
      switch change {
      case .remove(let offset, _, _): removed.insert(offset)
      case .insert(let offset, _, _): inserted.insert(offset)
      }
    }
    var lines: [Line] = []
    var (oldOffset, newOffset) = (0, 0)
    while oldOffset < old.count || newOffset < new.count {
      if removed.contains(oldOffset) {
        lines.append(Line(.removed, old[old.startIndex + oldOffset]))
        oldOffset += 1
      } else if inserted.contains(newOffset) {
        lines.append(Line(.inserted, new[new.startIndex + newOffset]))
        newOffset += 1
      } else {
        lines.append(Line(.same, old[old.startIndex + oldOffset]))
        oldOffset += 1
        newOffset += 1
      }
    }
    return lines
  }

  /// The lines that differ, without their neighbors.
  var changedLines: [String] { differing.map(text) }

  private var differing: [Int] { lines.indices.filter { lines[$0].kind != .same } }

  var description: String {
    let differing = differing
    var text: [String] = []
    var next = 0
    let isAll = differing.count <= Self.limit
    for index in indicesToShow(around: differing.prefix(Self.limit), isAll: isAll) {
      if index > next { text.append(skipped(next..<index)) }
      text.append(self.text(at: index))
      next = index + 1
    }
    let hidden = differing.count { $0 >= next }
    if hidden > 0, isCut {
      text.append("  … (and many more)")
    } else if hidden > 0 {
      text.append("  … (\(hidden == 1 ? "1 more line differs" : "\(hidden) more lines differ"))")
    } else if next < lines.count {
      text.append(skipped(next..<lines.count))
    }
    return text.joined(separator: "\n")
  }

  /// Returns the differing lines, their neighbors, and the lines that open and close their enclosing
  /// values.
  ///
  /// - Parameter isAll: Whether these are all differing lines. Otherwise, lines after the last one may
  ///   differ, so they enclose nothing that is known.
  private func indicesToShow(around differing: some Collection<Int>, isAll: Bool) -> [Int] {
    var shown = [Bool](repeating: false, count: lines.count)
    func showEnclosing(_ index: Int, in indices: some Sequence<Int>) {
      var indentation = lines[index].indentation
      for outer in indices {
        if indentation == 0 { return }
        let line = lines[outer]
        guard line.kind == .same, line.indentation < indentation else { continue }
        shown[outer] = true
        indentation = line.indentation
      }
    }
    for index in differing {
      for neighbor in max(index - 1, 0)...min(index + 1, lines.count - 1) { shown[neighbor] = true }
      showEnclosing(index, in: (0..<index).reversed())
      if isAll { showEnclosing(index, in: index..<lines.count) }
    }
    return shown.indices.filter { shown[$0] }
  }

  private func skipped(_ range: Range<Int>) -> String {
    if range.count == 1 { return text(at: range.lowerBound) }
    return "  … (\(range.count) lines are the same)"
  }

  private func text(at index: Int) -> String {
    let line = lines[index]
    return "\(line.kind.rawValue) \(shorten(line.text, comparedTo: partner(of: index)))"
  }

  /// Returns the line that corresponds to a removed or inserted one.
  private func partner(of index: Int) -> String? {
    let (other, kind): (Int, Line.Kind)
    switch lines[index].kind {
    case .removed: (other, kind) = (index + 1, .inserted)
    case .inserted: (other, kind) = (index - 1, .removed)
    case .same: return nil
    }
    guard lines.indices.contains(other), lines[other].kind == kind else { return nil }
    return lines[other].text
  }

  /// Shortens a long line to the part around its first difference from the other.
  private func shorten(_ line: String, comparedTo other: String?) -> String {
    if let other, line.visible == other.visible {
      return shorten(
        line.escaped { "\\u{\(String($0.value, radix: 16, uppercase: true))}" }, comparedTo: nil)
    }
    guard line.count > 120, let other else { return ValueDifferences.shorten(line) }
    let same = zip(line, other).prefix { $0 == $1 }.count
    guard same > 60 else { return ValueDifferences.shorten(line) }
    let skipped = same - 30
    return "(\(skipped) the same) …\(ValueDifferences.shorten(String(line.dropFirst(skipped))))"
  }
}

extension String {
  /// The text as a reader sees it.
  fileprivate var visible: String { escaped { $0.properties.isWhitespace ? " " : "" } }

  /// Replaces each scalar that can't be seen, or that looks like a space.
  fileprivate func escaped(_ escape: (Unicode.Scalar) -> String) -> String {
    var text = ""
    for scalar in unicodeScalars {
      let properties = scalar.properties
      let isSpace = properties.isWhitespace && scalar != " "
      if isSpace || properties.isDefaultIgnorableCodePoint {
        text += escape(scalar)
      } else {
        text.unicodeScalars.append(scalar)
      }
    }
    return text
  }
}
