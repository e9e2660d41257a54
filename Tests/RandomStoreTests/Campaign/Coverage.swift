/// How often each kind of thing was done.
struct Coverage: Sendable {
  private(set) var counts: [String: Int] = [:]

  mutating func count(_ name: String) {
    counts[name, default: 0] += 1
  }

  mutating func add(_ other: Coverage) {
    counts.merge(other.counts, uniquingKeysWith: +)
  }

  /// What was never done, of all that can be.
  var missing: [String] { Self.all.filter { counts[$0] == nil } }

  var table: String {
    let width = counts.keys.map(\.count).max() ?? 0
    return counts.sorted { $0.key < $1.key }.map { name, count in
      name + String(repeating: " ", count: width - name.count + 2) + "\(count)"
    }.joined(separator: "\n")
  }

  static let all =
    [
      "send", "open", "cancel task", "finish", "cancel finish", "advance", "read state", "drop",
      "store", "observable store", "two stores", "overrides of a child",
      "effect send", "effect run", "effect merge", "effect concatenate", "effect map",
      "effect cancellable", "effect cancelInFlight", "effect cancel", "effect debounce",
      "effect throttle first", "effect throttle latest", "part of its own",
      "cancelled before it starts", "cancelled when it may have started", "cancelled run",
      "cancelled stubborn run", "cancelled sleep", "cancelled part", "ignored action",
      "action that waits", "missing child", "handled error",
      "throttle runs", "throttle waits", "throttle drops", "throttle replaces", "racing action",
    ]
    + Feature.Link.allCases.flatMap { ["\($0), environment made", "\($0), environment named"] }
    + Feature.Kind.allCases.map { "\($0) environment" }
    + RunSpec.Hop.allCases.map { "hop \($0)" }
}
