import ComposableReducers

nonisolated func useIdentifiedArray() throws -> Int {
  let row = ListRow(id: 1)
  var rows: IdentifiedArray<Int, ListRow> = [row]
  var letters = IdentifiedArray<Int, String>(id: \.count)
  letters.append("a")
  letters = IdentifiedArray(uniqueElements: ["a", "bb"], id: \.count)
  letters = IdentifiedArray(["a", "b"], id: \.count) { first, _ in first }
  rows = IdentifiedArray()
  rows = IdentifiedArray(uniqueElements: [row])
  rows = IdentifiedArray([row])
  letters = IdentifiedArray(["a", "bb"], id: \.count)
  rows = IdentifiedArray([row, row]) { _, last in last }
  rows.reserveCapacity(10)
  rows.append(ListRow(id: 2))
  rows.append(contentsOf: [ListRow(id: 3)])
  rows.insert(ListRow(id: 4), at: 0)
  rows.update(row)
  rows.updateOrAppend(row)
  rows.move(from: 0, to: 1)
  rows.swapAt(0, 1)
  rows[id: 1]?.count += 1
  rows[0].count += rows[0].count
  rows[0..<1] = rows[0..<1]
  rows.move(fromOffsets: [0], toOffset: 2)
  rows.remove(at: rows.endIndex - 1)
  rows.remove(atOffsets: [])
  rows.remove(row)
  rows.removeFirst()
  rows.removeFirst(0)
  rows.removeLast()
  rows.removeLast(0)
  rows.removeSubrange(0..<0)
  _ = (rows.popFirst(), rows.popLast(), rows.filter { $0.count > 1 })
  let rest: IdentifiedArrayOf<ListRow> = rows
  rows = rest
  rows.remove(id: 3)
  rows.removeAll { $0.count > 1 }
  _ = unsafe rows.withContiguousStorageIfAvailable { $0.count }
  _ = unsafe rows.withContiguousMutableStorageIfAvailable { $0.count }
  for row in rows where rows.contains(id: row.id) && rows.index(id: row.id) == rows.startIndex {
    _ = (rows.ids, rows.elements, rows.description, rows.debugDescription, rows.customMirror)
  }
  var iterator = rows.makeIterator()
  _ = iterator.next()
  defer { rows.removeAll() }
  return rows == [row] ? letters.count : 0
}

nonisolated func hash(_ names: IdentifiedArray<Int, String>, into hasher: inout Hasher) {
  names.hash(into: &hasher)
}

nonisolated func coded(
  _ rows: IdentifiedArray<Int, ListRow>, _ encoder: any Encoder, _ decoder: any Decoder
) throws -> IdentifiedArray<Int, ListRow> {
  try rows.encode(to: encoder)
  return try IdentifiedArray(from: decoder)
}
