/// A list from which an object can be removed without a search.
struct SlotList<Element: AnyObject> {
  /// Usually the only one.
  private var first: Element?
  private var others: [Slot] = []
  /// The first free slot; -1 if there is none.
  private var free = -1
  private(set) var count = 0

  private struct Slot {
    var element: Element?
    /// The next free slot.
    var next = -1
  }

  var isEmpty: Bool { count == 0 }

  /// All elements, in the order of their slots.
  var all: [Element] {
    let others = others.compactMap(\.element)
    return if let first { [first] + others } else { others }
  }

  mutating func reserveCapacity(_ count: Int) {
    others.reserveCapacity(count)
  }

  /// Returns the element's position, for its removal.
  mutating func insert(_ element: Element) -> Int {
    count += 1
    if first == nil {
      first = element
      return 0
    }
    if free >= 0 {
      let position = free
      free = others[position].next
      others[position].element = element
      return position + 1
    }
    others.append(Slot(element: element))
    return others.count
  }

  /// Returns whether the element was there.
  ///
  /// The caller retains it, so nothing is freed here.
  @discardableResult
  mutating func remove(_ element: Element, at position: Int) -> Bool {
    if position == 0 {
      if first !== element { return false }
      first = nil
    } else {
      if position > others.count || others[position - 1].element !== element { return false }
      others[position - 1] = Slot(element: nil, next: free)
      free = position - 1
    }
    count -= 1
    if count == 0, !others.isEmpty {
      others.removeAll(keepingCapacity: others.count <= 64)
      free = -1
    }
    return true
  }
}
