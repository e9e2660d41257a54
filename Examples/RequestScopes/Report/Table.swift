/// Returns the counts of all boundaries, one per line.
func table(_ tally: Tally) -> String {
  let rows = Boundary.allCases.map { boundary in
    let counts = tally[boundary]
    let numbers = [
      counts.reads, counts.plain.other, counts.plain.none, counts.library.other,
      counts.library.none,
    ]
    return line(boundary.rawValue, numbers.map { "\($0)" })
  }
  let titles = [
    line("", ["", "plain:", "", "library:", ""]),
    line("BOUNDARY", ["READS", "OTHER", "NONE", "OTHER", "NONE"]),
  ]
  return (titles + rows).joined(separator: "\n")
}

/// Returns a name and its numbers, in columns.
func line(_ name: String, _ cells: [String]) -> String {
  let padded = cells.map { String(repeating: " ", count: max(0, 10 - $0.count)) + $0 }
  let spaces = String(repeating: " ", count: max(0, 30 - name.count))
  var line = name + spaces + padded.joined()
  while line.last == " " { line.removeLast() }
  return line
}
