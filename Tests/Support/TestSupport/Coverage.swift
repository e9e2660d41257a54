/// How often each kind of thing happened.
package struct Coverage: Sendable {
  private var counts: [String: Int] = [:]

  package init() {}

  package mutating func count(_ name: String) {
    counts[name, default: 0] += 1
  }

  package mutating func add(_ other: Coverage) {
    counts.merge(other.counts, uniquingKeysWith: +)
  }

  /// What never happened, of all that can.
  package func missing(of all: [String]) -> [String] { all.filter { counts[$0] == nil } }

  package var table: String {
    let width = counts.keys.map(\.count).max() ?? 0
    return counts.sorted { $0.key < $1.key }.map { name, count in
      name + String(repeating: " ", count: width - name.count + 2) + "\(count)"
    }.joined(separator: "\n")
  }
}
