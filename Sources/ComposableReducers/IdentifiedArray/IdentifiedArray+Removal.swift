extension IdentifiedArray {
  /// Removes the element with an id, if it exists.
  ///
  /// It costs time proportional to the number of elements behind.
  @inlinable
  @discardableResult
  public mutating func remove(id: ID) -> Element? {
    guard let position = find(id) else { return nil }
    return remove(at: position)
  }

  /// Removes the element with the same id as another element, if it exists.
  @inlinable
  @discardableResult
  public mutating func remove(_ element: Element) -> Element? {
    remove(id: id(element))
  }

  /// Removes the element at a position.
  ///
  /// It costs time proportional to the number of elements behind.
  @inlinable
  @discardableResult
  public mutating func remove(at position: Int) -> Element {
    if position == storage.count - 1 {
      removeID(at: position)
      return storage.removeLast()
    }
    let removed = storage.remove(at: position)
    removeID(at: position)
    return removed
  }

  /// Removes the first element.
  ///
  /// As with an array, it must exist.
  @inlinable
  @discardableResult
  public mutating func removeFirst() -> Element {
    remove(at: 0)
  }

  /// Removes the last element.
  ///
  /// As with an array, it must exist.
  @inlinable
  @discardableResult
  public mutating func removeLast() -> Element {
    remove(at: storage.count - 1)
  }

  /// Removes a number of elements at the start.
  ///
  /// As with an array, they must exist.
  @inlinable
  public mutating func removeFirst(_ count: Int) {
    removeSubrange(0..<count)
  }

  /// Removes a number of elements at the end.
  ///
  /// As with an array, they must exist.
  @inlinable
  public mutating func removeLast(_ count: Int) {
    removeSubrange(storage.count - count..<storage.count)
  }

  /// Removes and returns the first element; `nil` if the array is empty.
  @inlinable
  public mutating func popFirst() -> Element? {
    storage.isEmpty ? nil : removeFirst()
  }

  /// Removes and returns the last element; `nil` if the array is empty.
  @inlinable
  public mutating func popLast() -> Element? {
    storage.isEmpty ? nil : removeLast()
  }

  /// Removes the elements in a range of positions.
  ///
  /// It costs time proportional to the number of elements.
  @inlinable
  public mutating func removeSubrange(_ range: some RangeExpression<Int>) {
    let range = range.relative(to: self)
    precondition(range.lowerBound >= 0 && range.upperBound <= storage.count)
    switch range.count {
    case 0: break
    case 1: remove(at: range.lowerBound)
    case storage.count: removeAll()
    default: reorder(Array(0..<range.lowerBound) + Array(range.upperBound..<storage.count))
    }
  }

  /// Removes the elements at several positions, for a list's `onDelete`.
  ///
  /// It costs time proportional to the number of elements.
  ///
  /// ```swift
  /// .onDelete { rows.remove(atOffsets: $0) }
  /// ```
  ///
  /// - Parameter offsets: The positions, such as an `IndexSet`, in any order.
  @inlinable
  public mutating func remove(atOffsets offsets: some Sequence<Int>) {
    let isRemoved = marks(of: offsets)
    reorder(storage.indices.filter { !isRemoved[$0] })
  }

  /// Removes every element that matches a condition.
  ///
  /// It costs time proportional to the number of elements. If the condition throws, the array
  /// doesn't change.
  @inlinable
  public mutating func removeAll(where shouldBeRemoved: (Element) throws -> Bool) rethrows {
    guard let first = try storage.firstIndex(where: shouldBeRemoved) else { return }
    var stays = Marks(count: storage.count)
    var end = first
    for position in first + 1..<storage.count {
      do {
        if try shouldBeRemoved(storage[position]) { continue }
      } catch {
        // Move back, last first, what has moved.
        for position in (first + 1..<position).reversed() where stays[position] {
          end -= 1
          storage.swapAt(end, position)
          storedIDs.swapAt(end, position)
        }
        throw error
      }
      stays.mark(position)
      storage.swapAt(end, position)
      storedIDs.swapAt(end, position)
      end += 1
    }
    storage.removeLast(storage.count - end)
    storedIDs.removeLast(storedIDs.count - end)
    if table.isEmpty { return }
    table.remove(from: first, unless: stays)
    table.shrink(to: end)
  }

  /// Removes every element.
  @inlinable
  public mutating func removeAll(keepingCapacity: Bool = false) {
    storage.removeAll(keepingCapacity: keepingCapacity)
    storedIDs.removeAll(keepingCapacity: keepingCapacity)
    if keepingCapacity {
      table.removeAll()
    } else {
      table = IDTable()
    }
  }

  /// Returns an array of the elements that match a condition, in the same order.
  @inlinable
  public func filter(_ isIncluded: (Element) throws -> Bool) rethrows -> IdentifiedArray {
    var filtered = self
    try filtered.removeAll { try !isIncluded($0) }
    return filtered
  }
}
