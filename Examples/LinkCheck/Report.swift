import Foundation

/// The result of a check, of one file or many.
struct Report {
  var files = 0
  var links = 0
  var broken: [BrokenLink] = []
  var isInterrupted = false
  var elapsed = Duration.zero

  mutating func add(_ other: Report) {
    files += other.files
    links += other.links
    broken += other.broken
    if other.isInterrupted { isInterrupted = true }
  }

  /// Returns the broken links in columns, and a summary.
  func table(relativeTo folder: Path) -> String {
    var rows = [["FILE:LINE", "LINK", "PROBLEM"]]
    // Sorted, so that the order doesn't depend on the speed of tasks.
    for link in broken.sorted(by: { ($0.file, $0.line, $0.link) < ($1.file, $1.line, $1.link) }) {
      rows.append([
        "\(link.file.relative(to: folder)):\(link.line)", link.link,
        link.problem.text + (link.problem.file?.relative(to: folder) ?? ""),
      ])
    }
    let widths = [0, 1].map { column in rows.map { $0[column].count }.max() ?? 0 }
    let lines = rows.map { row in
      zip(row, widths).map { $0.padding(toLength: $1 + 2, withPad: " ", startingAt: 0) }.joined()
        + row[2]
    }
    return ((broken.isEmpty ? [] : lines + [""]) + [summary]).joined(separator: "\n")
  }

  private var summary: String {
    "\(counted(files, "file")), \(counted(links, "link")) checked, \(broken.count) broken "
      + String(format: "(%.2f s)", elapsed / .seconds(1)) + (isInterrupted ? ", interrupted" : "")
  }
}

/// A link whose target doesn't exist, or couldn't be read to check it.
struct BrokenLink: Equatable {
  let file: Path
  var line = 1
  var link = ""
  let problem: Problem
}

struct Problem: Equatable {
  let text: String
  /// The file to name after it.
  var file: Path?

  static func unreadable(_ error: any Error) -> Problem {
    Problem(text: "cannot be read: \(error.localizedDescription)")
  }
}

func counted(_ count: Int, _ noun: String) -> String {
  "\(count) \(noun)\(count == 1 ? "" : "s")"
}
