import ComposableReducers

struct ListRow: Identifiable, Equatable, Sendable {
  let id: Int
  var value = 0

  static func all(_ count: Int) -> [ListRow] {
    // Not in the order of their ids.
    (0..<count).map { ListRow(id: $0 &* 7_919 % 1_000_003) }
  }

  /// Returns ids in an order that caches can't predict.
  static func probes(_ count: Int) -> [Int] {
    let rows = all(count)
    return (0..<1_024).map { rows[$0 &* 1_031 % count].id }
  }
}

/// The operations of an identified array.
enum IdentifiedRows {
  /// Rows kept from one batch to the next; a benchmark uses one thread at a time.
  private final class Kept: @unchecked Sendable {
    var rows: IdentifiedArrayOf<ListRow>

    init(_ count: Int) {
      rows = IdentifiedArray(uniqueElements: ListRow.all(count))
    }
  }

  static func append(_ count: Int) -> Workload {
    let elements = ListRow.all(count)
    return Workload { times in
      for _ in 0..<times {
        var rows = IdentifiedArrayOf<ListRow>()
        for row in elements { rows.append(row) }
        sink(rows)
      }
    }
  }

  static func initialize(_ count: Int) -> Workload {
    let elements = ListRow.all(count)
    return Workload { times in
      for _ in 0..<times { sink(IdentifiedArray(uniqueElements: elements)) }
    }
  }

  static func lookup(_ count: Int) -> Workload {
    let rows = Kept(count).rows
    let probes = ListRow.probes(count)
    return Workload { times in
      for time in 0..<times { sink(rows[id: probes[time & 1_023]]) }
    }
  }

  static func update(_ count: Int) -> Workload {
    let kept = Kept(count)
    let probes = ListRow.probes(count)
    return Workload { times in
      for time in 0..<times { kept.rows[id: probes[time & 1_023]]?.value &+= 1 }
    }
  }

  static func removeLast(_ count: Int) -> Workload {
    let kept = Kept(count)
    return Workload { times in
      for _ in 0..<times { kept.rows.append(kept.rows.removeLast()) }
    }
  }

  static func change(_ count: Int) -> Workload {
    let kept = Kept(count)
    return Workload { times in
      for time in 0..<times { kept.rows[time &* 1_031 % count].value &+= 1 }
    }
  }

  static func ids(_ count: Int) -> Workload {
    let rows = Kept(count).rows
    return Workload { times in
      for _ in 0..<times { sink(opaque(rows).ids) }
    }
  }

  static func removeFirst(_ count: Int) -> Workload {
    let kept = Kept(count)
    return Workload { times in
      for _ in 0..<times { kept.rows.append(kept.rows.removeFirst()) }
    }
  }

  static func removeMiddle(_ count: Int) -> Workload {
    let kept = Kept(count)
    return Workload { times in
      for _ in 0..<times { kept.rows.append(kept.rows.remove(at: count / 2)) }
    }
  }

  static func removeWhere(_ count: Int) -> Workload {
    let rows = Kept(count).rows
    return Workload { times in
      for _ in 0..<times {
        var copy = rows
        copy.removeAll { $0.id.isMultiple(of: 2) }
        sink(copy)
      }
    }
  }

  static func compare(_ count: Int) -> Workload {
    let (rows, other) = (Kept(count).rows, Kept(count).rows)
    return Workload { times in
      for _ in 0..<times { sink(rows == other) }
    }
  }
}

/// The same operations of a plain array, with a dictionary of positions for lookups by id.
enum PlainRows {
  private final class Kept: @unchecked Sendable {
    var rows: [ListRow]
    var positions: [Int: Int]

    init(_ count: Int) {
      rows = ListRow.all(count)
      positions = Dictionary(uniqueKeysWithValues: rows.enumerated().map { ($1.id, $0) })
    }
  }

  static func append(_ count: Int) -> Workload {
    let elements = ListRow.all(count)
    return Workload { times in
      for _ in 0..<times {
        var rows: [ListRow] = []
        var positions: [Int: Int] = [:]
        for row in elements where positions[row.id] == nil {
          positions[row.id] = rows.count
          rows.append(row)
        }
        sink((rows, positions))
      }
    }
  }

  static func initialize(_ count: Int) -> Workload {
    let elements = ListRow.all(count)
    return Workload { times in
      for _ in 0..<times {
        sink(Dictionary(uniqueKeysWithValues: elements.lazy.map { ($0.id, 0) }))
      }
    }
  }

  static func lookup(_ count: Int) -> Workload {
    let kept = Kept(count)
    let (rows, positions) = (kept.rows, kept.positions)
    let probes = ListRow.probes(count)
    return Workload { times in
      for time in 0..<times { sink(positions[probes[time & 1_023]].map { rows[$0] }) }
    }
  }

  static func update(_ count: Int) -> Workload {
    let kept = Kept(count)
    let probes = ListRow.probes(count)
    return Workload { times in
      for time in 0..<times {
        if let position = kept.positions[probes[time & 1_023]] {
          kept.rows[position].value &+= 1
        }
      }
    }
  }

  static func removeLast(_ count: Int) -> Workload {
    let kept = Kept(count)
    return Workload { times in
      for _ in 0..<times { kept.rows.append(kept.rows.removeLast()) }
    }
  }

  static func change(_ count: Int) -> Workload {
    let kept = Kept(count)
    return Workload { times in
      for time in 0..<times { kept.rows[time &* 1_031 % count].value &+= 1 }
    }
  }

  static func ids(_ count: Int) -> Workload {
    let rows = Kept(count).rows
    return Workload { times in
      for _ in 0..<times { sink(opaque(rows).map(\.id)) }
    }
  }

  static func removeFirst(_ count: Int) -> Workload {
    let kept = Kept(count)
    return Workload { times in
      for _ in 0..<times { kept.rows.append(kept.rows.removeFirst()) }
    }
  }

  static func removeMiddle(_ count: Int) -> Workload {
    let kept = Kept(count)
    return Workload { times in
      for _ in 0..<times { kept.rows.append(kept.rows.remove(at: count / 2)) }
    }
  }

  static func removeWhere(_ count: Int) -> Workload {
    let rows = Kept(count).rows
    return Workload { times in
      for _ in 0..<times {
        var copy = rows
        copy.removeAll { $0.id.isMultiple(of: 2) }
        sink(copy)
      }
    }
  }

  static func compare(_ count: Int) -> Workload {
    let (rows, other) = (Kept(count).rows, Kept(count).rows)
    return Workload { times in
      for _ in 0..<times { sink(rows == other) }
    }
  }
}
