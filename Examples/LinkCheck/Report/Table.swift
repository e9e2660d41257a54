import Foundation

extension Report {
  /// Returns the broken links in columns, and a summary.
  package func table(relativeTo folder: Path) -> String {
    var lines: [String] = []
    if !broken.isEmpty {
      let rows = sortedBroken.map { broken in
        [
          "\(broken.file.relative(to: folder)):\(broken.line)",
          broken.link,
          broken.problem.description(relativeTo: folder),
        ]
      }
      lines = aligned([["FILE:LINE", "LINK", "PROBLEM"]] + rows) + [""]
    }
    return (lines + [summary]).joined(separator: "\n")
  }

  private var summary: String {
    let seconds = String(format: "%.2f", elapsed / .seconds(1))
    let counts = [
      counted(files, "file"),
      "\(counted(links, "link")) checked",
      "\(broken.count) broken (\(seconds) s)",
    ]
    return (counts + (isInterrupted ? ["interrupted"] : [])).joined(separator: ", ")
  }
}

package func counted(_ count: Int, _ noun: String) -> String {
  "\(count) \(noun)\(count == 1 ? "" : "s")"
}

private func aligned(_ rows: [[String]]) -> [String] {
  let widths = rows[0].indices.dropLast().map { column in
    rows.map { $0[column].count }.max() ?? 0
  }
  return rows.map { row in
    let padded = zip(row, widths).map { cell, width in
      cell + String(repeating: " ", count: width - cell.count + 2)
    }
    return padded.joined() + (row.last ?? "")
  }
}
