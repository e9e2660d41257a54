extension IdentifiedArray {
  /// Adds an element at the end, unless its id is there already; the array is the same then.
  ///
  /// - Returns: Whether it was added, and the position of the element with its id.
  @discardableResult
  public mutating func append(_ element: Element) -> (inserted: Bool, index: Int) {
    insert(element, at: storage.count)
  }

  /// Adds those elements at the end whose id is not there already.
  ///
  /// - Returns: The elements that were not added.
  @discardableResult
  public mutating func append(contentsOf new: some Sequence<Element>) -> [Element] {
    new.filter { !append($0).inserted }
  }

  /// Adds an element at a position, unless its id is there already; the array is the same then.
  ///
  /// Costs in proportion to the elements behind it.
  ///
  /// - Returns: Whether it was added, and the position of the element with its id.
  @discardableResult
  public mutating func insert(
    _ element: Element, at position: Int
  ) -> (inserted: Bool, index: Int) {
    let id = id(element)
    if let present = index(id: id) { return (false, present) }
    storage.insert(element, at: position)
    reindex(from: position)
    return (true, position)
  }

  /// Replaces the element that has the same id, where there is one.
  ///
  /// - Returns: The element that was replaced; nothing if there is none, and nothing is done then.
  @discardableResult
  public mutating func update(_ element: Element) -> Element? {
    guard let position = index(id: id(element)) else { return nil }
    let replaced = storage[position]
    storage[position] = element
    return replaced
  }

  /// Replaces the element that has the same id, or adds the element at the end.
  ///
  /// - Returns: The element that was replaced; nothing if there was none.
  @discardableResult
  public mutating func updateOrAppend(_ element: Element) -> Element? {
    let replaced = update(element)
    if replaced == nil { append(element) }
    return replaced
  }

  /// Removes the element with an id, where there is one; costs in proportion to those behind it.
  @discardableResult
  public mutating func remove(id: ID) -> Element? {
    index(id: id).map { remove(at: $0, id: id) }
  }

  /// Removes the element at a position; costs in proportion to those behind it.
  @discardableResult
  public mutating func remove(at position: Int) -> Element {
    remove(at: position, id: id(storage[position]))
  }

  /// Removes every element of which a condition holds; costs in proportion to the number of all.
  public mutating func removeAll(where shouldBeRemoved: (Element) throws -> Bool) rethrows {
    let kept = try storage.filter { try !shouldBeRemoved($0) }
    if kept.count < storage.count { replaceElements(with: kept) }
  }

  /// Removes every element.
  public mutating func removeAll(keepingCapacity: Bool = false) {
    storage.removeAll(keepingCapacity: keepingCapacity)
    positions.removeAll(keepingCapacity: keepingCapacity)
  }

  /// Moves the element at one position to another; those between make room.
  ///
  /// Costs in proportion to the distance.
  ///
  /// - Parameters:
  ///   - source: The element's position before.
  ///   - destination: Its position afterwards.
  public mutating func move(from source: Int, to destination: Int) {
    let step = source < destination ? 1 : -1
    for position in stride(from: source, to: destination, by: step) {
      storage.swapAt(position, position + step)
    }
    reindex(from: Swift.min(source, destination), to: Swift.max(source, destination) + 1)
  }

  /// Makes room for a number of elements, so that adding them allocates nothing.
  public mutating func reserveCapacity(_ minimumCapacity: Int) {
    storage.reserveCapacity(minimumCapacity)
    positions.reserveCapacity(minimumCapacity)
  }
}
