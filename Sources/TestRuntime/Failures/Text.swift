extension String {
  /// The text, cut after a number of characters.
  package func shortened(to limit: Int) -> String {
    count <= limit ? self : "\(prefix(limit))… (\(count - limit) more)"
  }
}

extension Int {
  /// The number with commas between thousands.
  package var grouped: String {
    var (left, text) = (String(self).count, "")
    for digit in String(self) {
      text.append(digit)
      left -= 1
      if left > 0, left % 3 == 0, digit != "-" { text += "," }
    }
    return text
  }
}
