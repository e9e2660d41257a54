import ComposableReducers

nonisolated func useIdentifiedArray() throws -> Int {
  var rows: IdentifiedArray<Int, ListRow> = [ListRow(id: 1)]
  var letters = IdentifiedArray<Int, String>(id: \.count)
  letters.updateOrAppend("a")
  rows.append(ListRow(id: 2))
  rows[id: 1]?.count += 1
  rows[0].count += rows[0].count
  rows[0..<1] = rows[0..<1]
  rows.move(fromOffsets: [0], toOffset: 2)
  rows.removeAll { $0.count > 1 }
  _ = unsafe rows.withContiguousMutableStorageIfAvailable { $0.count }
  let rest: IdentifiedArrayOf<ListRow> = rows
  for row in rows where rows.contains(id: row.id) && rows.index(id: row.id) == rows.startIndex {
    _ = (rows.ids, rows.elements, rows.description)
  }
  return rows == rest ? letters.count : 0
}

nonisolated func coded(
  _ rows: IdentifiedArray<Int, ListRow>, _ encoder: any Encoder, _ decoder: any Decoder
) throws -> IdentifiedArray<Int, ListRow> {
  try rows.encode(to: encoder)
  return try IdentifiedArray(from: decoder)
}
