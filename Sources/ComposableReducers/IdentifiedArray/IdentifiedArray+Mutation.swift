/// Adding and replacing elements.
extension IdentifiedArray {
  /// Appends an element, unless the array already has its id.
  ///
  /// - Returns: Whether it was added, and the position of the element with its id.
  @inlinable
  @discardableResult
  public mutating func append(_ element: consuming Element) -> (inserted: Bool, index: Int) {
    let id = id(element)
    var hash: UInt64 = 0
    if table.isEmpty {
      if let present = storedIDs.firstIndex(of: id) { return (false, present) }
    } else {
      hash = IDTable.hash(of: id)
      if let present = find(id, hash: hash) { return (false, present) }
    }
    add(element, id: id, hash: hash)
    return (true, storage.count &- 1)
  }

  /// Appends the elements whose ids the array doesn't have yet.
  ///
  /// - Returns: The elements that weren't added.
  @inlinable
  @discardableResult
  public mutating func append(contentsOf new: some Sequence<Element>) -> [Element] {
    var rejected: [Element] = []
    for element in new where !append(element).inserted { rejected.append(element) }
    return rejected
  }

  /// Inserts an element at a position, unless the array already has its id.
  ///
  /// It costs time proportional to the number of elements behind.
  ///
  /// - Returns: Whether it was added, and the position of the element with its id.
  @inlinable
  @discardableResult
  public mutating func insert(
    _ element: consuming Element, at position: Int
  ) -> (inserted: Bool, index: Int) {
    if position == storage.count { return append(element) }
    let id = id(element)
    if table.isEmpty {
      if let present = storedIDs.firstIndex(of: id) { return (false, present) }
      if storage.count < IDTable.longestSearch {
        storedIDs.insert(id, at: position)
      } else {
        buildTable()
        insertID(id, hash: IDTable.hash(of: id), at: position)
      }
    } else {
      let hash = IDTable.hash(of: id)
      if let present = find(id, hash: hash) { return (false, present) }
      insertID(id, hash: hash, at: position)
    }
    storage.insert(element, at: position)
    return (true, position)
  }

  /// Replaces the element that has the same id, if there is one.
  ///
  /// - Returns: The replaced element; `nil` if there is none, and nothing changed.
  @inlinable
  @discardableResult
  public mutating func update(_ element: Element) -> Element? {
    guard let position = find(id(element)) else { return nil }
    return replace(at: position, by: element)
  }

  /// Replaces the element at a position with an element that has the same id.
  ///
  /// If the ids differ, the array reports an issue and doesn't change.
  ///
  /// - Returns: The replaced element.
  @inlinable
  @discardableResult
  public mutating func update(_ element: Element, at position: Int) -> Element {
    let id = id(element)
    if id == storedIDs[position] { return replace(at: position, by: element) }
    reportChanged(storedIDs[position], to: id, "The array ignores the change.")
    return storage[position]
  }

  /// Replaces the element that has the same id, or appends the element.
  ///
  /// - Returns: The replaced element; `nil` if there was none.
  @inlinable
  @discardableResult
  public mutating func updateOrAppend(_ element: Element) -> Element? {
    let (inserted, position) = append(element)
    return inserted ? nil : replace(at: position, by: element)
  }

  /// Replaces the element that has the same id, at its own position, or inserts the element at a
  /// position.
  ///
  /// - Returns: The replaced element, `nil` if there was none; and the position of the element.
  @inlinable
  @discardableResult
  public mutating func updateOrInsert(
    _ element: Element, at position: Int
  ) -> (replaced: Element?, index: Int) {
    let (inserted, index) = insert(element, at: position)
    return (inserted ? nil : replace(at: index, by: element), index)
  }

  /// Reserves room for a number of elements, so that adding them allocates nothing.
  @inlinable
  public mutating func reserveCapacity(_ minimumCapacity: Int) {
    storage.reserveCapacity(minimumCapacity)
    storedIDs.reserveCapacity(minimumCapacity)
    guard minimumCapacity > IDTable.longestSearch else { return }
    if table.isEmpty { buildTable() }
    table.reserve(minimumCapacity)
  }

  @inlinable
  mutating func replace(at position: Int, by element: consuming Element) -> Element {
    swap(&storage[position], &element)
    return element
  }
}
