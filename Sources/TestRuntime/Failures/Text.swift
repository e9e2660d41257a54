extension String {
  /// The text, cut after a number of characters.
  package func shortened(to limit: Int) -> String {
    count <= limit ? self : "\(prefix(limit))… (\(count - limit) more)"
  }
}

extension Int {
  /// The number with commas between thousands.
  package var grouped: String {
    if magnitude < 1_000 { return "\(self)" }
    return (self / 1_000).grouped + "," + "\(1_000 + magnitude % 1_000)".dropFirst()
  }
}
