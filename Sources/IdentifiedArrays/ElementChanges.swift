internal import Synchronization

/// Identifies the elements of an array, and remembers its last changes.
@usableFromInline
struct ElementChanges: Sendable {
  /// Differs between arrays of different elements, and is zero only for an array without any.
  @usableFromInline private(set) var version: UInt64 = 0
  /// The last versions before this one, and the position at which the elements changed after each.
  private var earlier: (Change, Change, Change)?

  private typealias Change = (version: UInt64, position: Int)

  private static let last = Atomic<UInt64>(0)

  @usableFromInline
  init() {}

  /// Notes a change.
  ///
  /// - Parameter position: The only position at which an element changed; `nil` if there may be more.
  @usableFromInline
  mutating func note(_ position: Int?) {
    if let position {
      let change: Change = (version, position)
      let others = earlier ?? (change, change, change)
      earlier = (change, others.0, others.1)
    } else {
      earlier = nil
    }
    version = Self.last.add(1, ordering: .relaxed).newValue
  }

  /// Returns the only positions that changed since a version; `nil` if there may be more.
  @usableFromInline
  func positions(changedSince version: UInt64) -> [Int]? {
    if version == self.version { return [] }
    guard let earlier else { return nil }
    var positions: [Int] = []
    for change in [earlier.0, earlier.1, earlier.2] {
      if !positions.contains(change.position) { positions.append(change.position) }
      if change.version == version { return positions }
    }
    return nil
  }
}

extension IdentifiedArray {
  /// Differs between arrays of different elements.
  package var version: UInt64 { changes.version }

  /// Returns the only positions that changed since a version; `nil` if there may be more.
  package func positions(changedSince version: UInt64) -> [Int]? {
    changes.positions(changedSince: version)
  }
}
