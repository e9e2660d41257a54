/// Elements in the order of their arrival, each with a priority.
///
/// However many there are, each function takes a number of steps that grows only with the logarithm
/// of that number.
package struct Arrivals<Element> {
  /// The elements, with gaps where some were removed.
  private var slots: [Element?] = Array(repeating: nil, count: 16)
  // A complete binary tree. The root is at index 1, and the children of a node are at twice its index
  // and the one after. The second half are the leaves, one for each slot.
  private var nodes = Array(repeating: ArrivalNode(), count: 32)
  /// The index of the first slot that was never used.
  private var end = 0

  package var count: Int { nodes[1].count }
  var isEmpty: Bool { count == 0 }

  mutating func append(_ element: Element, priority: UInt64 = 0) {
    if end == slots.count { removeGaps() }
    slots[end] = element
    var node = slots.count + end
    end += 1
    while node > 0 {
      nodes[node].count += 1
      if nodes[node].priority < priority { nodes[node].priority = priority }
      node /= 2
    }
  }

  /// - Parameter index: The number of elements that arrived earlier.
  package subscript(index: Int) -> Element { slots[leaf(at: index) - slots.count]! }

  @discardableResult
  mutating func remove(at index: Int) -> Element {
    let leaf = leaf(at: index)
    if nodes[leaf].priority > 0 { setPriority(0, of: leaf) }
    var node = leaf
    while node > 0 {
      nodes[node].count -= 1
      node /= 2
    }
    if isEmpty { end = 0 }
    return slots[leaf - slots.count].take()!
  }

  package mutating func setPriority(_ priority: UInt64, at index: Int) {
    setPriority(priority, of: leaf(at: index))
  }

  /// The index of the earliest element of those with the highest priority.
  package var highest: Int {
    var (node, index) = (1, 0)
    while node < slots.count {
      node *= 2
      if nodes[node].count == 0 || nodes[node].priority < nodes[node + 1].priority {
        index += nodes[node].count
        node += 1
      }
    }
    return index
  }

  private func leaf(at index: Int) -> Int {
    let size = slots.count
    var (node, index) = (1, index)
    while node < size {
      node *= 2
      if index >= nodes[node].count {
        index -= nodes[node].count
        node += 1
      }
    }
    return node
  }

  private mutating func setPriority(_ priority: UInt64, of leaf: Int) {
    var node = leaf
    nodes[node].priority = priority
    while node > 1 {
      node /= 2
      nodes[node].priority = max(nodes[2 * node].priority, nodes[2 * node + 1].priority)
    }
  }

  /// Moves the elements together, and makes room for at least as many others.
  private mutating func removeGaps() {
    let before = self
    let size = before.count < before.slots.count / 2 ? before.slots.count : before.slots.count * 2
    slots = Array(repeating: nil, count: size)
    nodes = Array(repeating: ArrivalNode(), count: 2 * size)
    end = 0
    for (slot, element) in before.slots.enumerated() {
      guard let element else { continue }
      append(element, priority: before.nodes[before.slots.count + slot].priority)
    }
  }
}

// Not nested: a debug build would look up a type inside a generic one each time.
private struct ArrivalNode {
  /// The number of elements.
  var count = 0
  /// Their highest priority.
  var priority: UInt64 = 0
}
