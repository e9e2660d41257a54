/// Elements in the order in which they were appended.
///
/// Its memory is bounded by the largest number of elements that it held at once, even if it is never
/// empty.
struct Queue<Element> {
  private(set) var storage: [Element?] = []
  /// The index of the first element.
  private var start = 0

  var isEmpty: Bool { start == storage.count }

  mutating func append(_ element: Element) {
    storage.append(element)
  }

  mutating func popFirst() -> Element? {
    if isEmpty { return nil }
    defer {
      start += 1
      // The number of elements to move is at most that of elements taken since the last time.
      if start >= 64, 2 * start >= storage.count {
        storage.removeFirst(start)
        start = 0
      }
    }
    return storage[start].take()
  }
}
