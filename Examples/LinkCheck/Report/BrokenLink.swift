import Foundation

/// A link whose target doesn't exist, or couldn't be read to check it.
package struct BrokenLink: Equatable, Codable {
  let file: Path
  let line: Int
  let link: String
  let problem: Problem

  package static func unreadable(_ path: Path, _ error: any Error) -> BrokenLink {
    let problem = Problem.cannotBeRead(error.localizedDescription)
    return BrokenLink(file: path, line: 1, link: "", problem: problem)
  }
}

package enum Problem: Equatable, Codable {
  case noSuchFile
  case noHeading(String, Path)
  case noDefinition(String)
  case cannotBeRead(String)

  func description(relativeTo folder: Path) -> String {
    switch self {
    case .noSuchFile: "no such file"
    case .noHeading(let anchor, let file):
      "no heading for #\(anchor) in \(file.relative(to: folder))"
    case .noDefinition(let label): "no definition of [\(label)]"
    case .cannotBeRead(let reason): "cannot be read: \(reason)"
    }
  }
}
