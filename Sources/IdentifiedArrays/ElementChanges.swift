internal import Synchronization

/// Identifies the elements of an array as long as something retains it, and says which ones changed last.
///
/// A change replaces it if something else retains it. So an array that has the same object as before has
/// the same elements.
// Unchecked. Sound: it changes only while it has one reference; `previous` has a lock.
@usableFromInline
final class ElementChanges: @unchecked Sendable {
  /// The object that this one replaced, until another one replaces this one.
  private let previous: Mutex<ElementChanges?>
  /// The positions that have changed since then; `nil` if there may be more.
  private var positions: [Int]?

  @usableFromInline
  init(after previous: ElementChanges?) {
    // Only the last one is needed.
    previous?.previous.withLock { $0 = nil }
    self.previous = Mutex(previous)
    positions = previous.map { _ in [] }
  }

  /// Adds a position, and returns whether it is known which ones have changed.
  @usableFromInline
  func add(_ position: Int?) -> Bool {
    guard let position, let known = positions, known.count < 8 || known.contains(position) else {
      positions = nil
      return false
    }
    if !known.contains(position) { positions!.append(position) }
    return true
  }

  /// Returns the only positions that have changed since another object; `nil` if there may be more.
  func positions(since other: ElementChanges?) -> [Int]? {
    if other === self { return [] }
    return other != nil && previous.withLock { $0 } === other ? positions : nil
  }
}

extension IdentifiedArray {
  /// Notes a change of the elements.
  ///
  /// - Parameter position: The only position at which an element changed; `nil` if there may be more.
  @inlinable
  mutating func noteChange(at position: Int?) {
    // Nothing here takes the array's address, so that the optimizer keeps it in registers.
    if isKnownUniquelyReferenced(&changes) {
      if notedPosition == nil || notedPosition == position { return }
    } else {
      changes = ElementChanges(after: changes)
    }
    notedPosition = changes!.add(position) ? position : nil
  }

  /// Identifies the elements as long as it is retained; `nil` only if there are none.
  package var version: (any AnyObject & Sendable)? { changes }

  /// Returns the only positions that changed since a version; `nil` if there may be more.
  package func positions(changedSince version: any AnyObject & Sendable) -> [Int]? {
    changes?.positions(since: version as? ElementChanges)
  }
}
