import Foundation
import LinkChecking

/// A request to a worker.
struct Request: Codable {
  /// Unique for each request, and the same in each run of the program.
  var number: UInt64
  var file: Path
  /// The base of absolute links.
  var root: Path
  /// The values that travel with the request: deadline, seed and crash percentage.
  var baggage: String?
}

/// A worker's answer.
struct Reply: Codable {
  var number: UInt64
  /// `nil` if the deadline had passed.
  var report: FileReport?
}

/// Returns a message on one line; JSON itself adds no line breaks.
func encoded(_ message: some Encodable) -> String {
  let encoder = JSONEncoder()
  encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
  return (try? encoder.encode(message)).map { String(decoding: $0, as: UTF8.self) } ?? ""
}

func decoded<Message: Decodable>(_ type: Message.Type, from line: String) -> Message? {
  try? JSONDecoder().decode(type, from: Data(line.utf8))
}
