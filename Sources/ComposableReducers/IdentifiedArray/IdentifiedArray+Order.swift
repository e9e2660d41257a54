/// Moving elements to other positions.
extension IdentifiedArray {
  /// Exchanges two elements, at constant cost.
  @inlinable
  public mutating func swapAt(_ i: Int, _ j: Int) {
    storage.swapAt(i, j)
    if !table.isEmpty && i != j {
      let (first, second) = (bucket(of: i), bucket(of: j))
      table.slots[first] = table.slots[first] &+ UInt64(truncatingIfNeeded: j &- i)
      table.slots[second] = table.slots[second] &+ UInt64(truncatingIfNeeded: i &- j)
    }
    storedIDs.swapAt(i, j)
  }

  /// Moves an element to another position; the elements between make room.
  ///
  /// It costs time proportional to the distance.
  ///
  /// - Parameters:
  ///   - source: The element's current position.
  ///   - destination: Its new position.
  @inlinable
  public mutating func move(from source: Int, to destination: Int) {
    let step = source < destination ? 1 : -1
    for position in stride(from: source, to: destination, by: step) {
      storage.swapAt(position, position + step)
    }
    if !table.isEmpty && source != destination { moveInTable(from: source, to: destination) }
    for position in stride(from: source, to: destination, by: step) {
      storedIDs.swapAt(position, position + step)
    }
  }

  /// Moves the elements at several positions together, for a list's `onMove`.
  ///
  /// It costs time proportional to the number of elements.
  ///
  /// ```swift
  /// .onMove { rows.move(fromOffsets: $0, toOffset: $1) }
  /// ```
  ///
  /// - Parameters:
  ///   - offsets: The positions, such as an `IndexSet`. The elements keep their order.
  ///   - destination: The position, before the move, of the element to move them in front of. To
  ///     move them to the end, pass the number of elements.
  @inlinable
  public mutating func move(fromOffsets offsets: some Sequence<Int>, toOffset destination: Int) {
    precondition(0...storage.count ~= destination, "Destination out of range")
    let isMoved = marks(of: offsets)
    let staying = storage.indices.lazy.filter { !isMoved[$0] }
    reorder(
      Array(staying.filter { $0 < destination })
        + storage.indices.filter { isMoved[$0] }
        + Array(staying.filter { $0 >= destination }))
  }

  @inlinable
  func marks(of offsets: some Sequence<Int>) -> Marks {
    var marks = Marks(count: storage.count)
    for offset in offsets {
      precondition(storage.indices ~= offset, "Offset out of range")
      marks.mark(offset)
    }
    return marks
  }

  @inlinable
  mutating func moveInTable(from source: Int, to destination: Int) {
    let own = bucket(of: source)
    let slot = table.slots[own]
    let distance = destination &- source
    if table.areFew(Swift.abs(distance)) {
      let step = distance > 0 ? 1 : -1
      for position in stride(from: source, to: destination, by: step) {
        let next = bucket(of: position &+ step)
        table.slots[next] = table.slots[next] &- UInt64(truncatingIfNeeded: step)
      }
    } else if distance > 0 {
      table.lower(behind: source)
      table.raise(from: destination)
    } else {
      table.raise(from: destination)
      table.lower(behind: source)
    }
    table.slots[own] = slot &+ UInt64(truncatingIfNeeded: distance)
  }
}
