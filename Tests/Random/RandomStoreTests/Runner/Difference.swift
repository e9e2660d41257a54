extension PredictedStep {
  /// Describes the difference between expected and actual events, if there is one.
  func difference(from found: [Event]) -> String? {
    let expected = Dictionary(grouping: events, by: \.stream)
    let found = Dictionary(grouping: found, by: \.stream)
    for stream in Set(expected.keys).union(found.keys) {
      let (expected, found) = (expected[stream] ?? [], found[stream] ?? [])
      let isSame =
        stream == nil ? expected.counted == found.counted : expected == found
      if !isSame {
        return "found\n  \(found.lines)\nwhere this was to be\n  \(expected.lines)"
      }
    }
    return nil
  }
}

extension [Event] {
  fileprivate var counted: [Event: Int] {
    reduce(into: [:]) { $0[$1, default: 0] += 1 }
  }

  fileprivate var lines: String {
    isEmpty ? "nothing" : map { "\($0)" }.joined(separator: "\n  ")
  }
}
