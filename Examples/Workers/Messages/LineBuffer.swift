import Foundation

/// Splits arriving bytes into lines.
struct LineBuffer {
  private var rest = Data()

  /// Returns the lines that these bytes complete, without line ends.
  mutating func add(_ bytes: Data) -> [String] {
    rest.append(bytes)
    var parts = rest.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    rest = Data(parts.popLast() ?? Data())
    return parts.map { String(decoding: $0, as: UTF8.self) }
  }
}
