import Foundation

extension Report {
  /// Returns a JSON object, for other programs.
  package func json(relativeTo folder: Path) -> String {
    let value = JSON(
      files: files,
      links: links,
      broken: sortedBroken.map { broken in
        JSON.Broken(
          file: broken.file.relative(to: folder),
          line: broken.line,
          link: broken.link,
          problem: broken.problem.description(relativeTo: folder))
      },
      interrupted: isInterrupted)
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return (try? encoder.encode(value)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
  }
}

private struct JSON: Encodable {
  struct Broken: Encodable {
    let file: String
    let line: Int
    let link: String
    let problem: String
  }

  let files: Int
  let links: Int
  let broken: [Broken]
  let interrupted: Bool
}
