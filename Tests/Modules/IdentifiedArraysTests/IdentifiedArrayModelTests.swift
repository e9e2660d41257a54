import IdentifiedArrays
import StandardDependencies
import TestSupport
import Testing

/// Every operation at random, compared with plain arrays.
@Suite("identified arrays beside plain arrays")
struct IdentifiedArrayModelTests {
  @Test("random operations agree with a plain array, and copies never change", arguments: 0..<36)
  func random(seed: Int) {
    var generator = SplitMix64(seed: UInt64(seed))
    // From short arrays to arrays whose table grows and shrinks.
    let ids = [4, 12, 20, 60, 200, 500][seed % 6]
    var pair = ModeledRows()
    var copies: [ModeledRows] = []
    for step in 0..<200 {
      let operation = pair.mutate(ids: ids, using: &generator)
      if let difference = pair.difference(ids: ids) {
        Issue.record("seed \(seed), step \(step), \(operation): \(difference)")
        return
      }
      if step.isMultiple(of: 37) { copies.append(pair) }
      if copies.count > 3, Bool.random(using: &generator) {
        // Continue with a copy, so that both sides of shared storage are changed.
        copies.swapAt(0, copies.count - 1)
        swap(&pair, &copies[copies.count - 1])
      }
    }
    for copy in copies { #expect(copy.difference(ids: ids) == nil, "seed \(seed)") }
  }

  /// The elements of an array when its version was read.
  private struct Seen {
    let version: any AnyObject & Sendable
    let elements: [Row]

    init?(_ pair: ModeledRows) {
      guard let version = pair.rows.version else { return nil }
      (self.version, elements) = (version, pair.model)
    }

    /// Whether an array's claim about what has changed since then is right; `nil` if it claims nothing.
    func isRight(_ pair: ModeledRows) -> Bool? {
      guard let changed = pair.rows.positions(changedSince: version) else { return nil }
      return elements.count == pair.model.count
        && elements.indices.allSatisfy {
          elements[$0] == pair.model[$0]
            || changed.contains($0) && elements[$0].id == pair.model[$0].id
        }
    }
  }

  @Test("what an array says has changed since a version is right, whatever happens to copies")
  func changes() {
    var claims = [false: 0, true: 0]
    for seed in 0..<200 {
      var generator = SplitMix64(seed: UInt64(seed))
      var pairs = [ModeledRows()]
      var seen: [Seen] = []
      for _ in 0..<200 {
        let number = Int.random(in: 0..<pairs.count, using: &generator)
        if Bool.random(using: &generator), !pairs[number].model.isEmpty {
          let position = Int.random(in: 0..<pairs[number].model.count, using: &generator)
          pairs[number].rows[position].name += "!"
          pairs[number].model[position].name += "!"
        } else if Int.random(in: 0..<4, using: &generator) == 0 {
          _ = pairs[number].mutate(ids: 12, using: &generator)
        }
        for old in seen {
          for pair in pairs {
            guard let isRight = old.isRight(pair) else { continue }
            claims[old.elements == pair.model]! += 1
            if !isRight { return #expect(Bool(false), "seed \(seed)") }
          }
        }
        switch Int.random(in: 0..<8, using: &generator) {
        case 0: seen += Seen(pairs[number]).map { [$0] } ?? []
        case 1 where pairs.count < 4: pairs.append(pairs[number])
        case 2: pairs.swapAt(0, number)
        case 3 where pairs.count > 1: pairs.removeLast()
        case 4 where seen.count > 3: seen.removeFirst()
        default: break
        }
      }
    }
    #expect(claims.values.allSatisfy { $0 > 1_000 })
  }

  @Test("up to eight changed positions are known, however often each changes")
  func changedPositions() throws {
    for count in 1...9 {
      var rows = IdentifiedArray((0..<20).map { Row($0) })
      let version = try #require(rows.version)
      for _ in 0..<20 { for position in 0..<count { rows[position].name += "!" } }
      let changed = rows.positions(changedSince: version).map(Set.init)
      #expect(changed == (count <= 8 ? Set(0..<count) : nil))
    }
  }

  @Test("an array keeps none but its last version")
  func versionsEnd() throws {
    var rows = IdentifiedArray([Row(0)])
    var first = rows.version
    weak let ended = first
    rows[0].name += "!"
    let second = rows.version
    first = nil
    rows[0].name += "!"
    #expect(ended == nil)
    #expect(try rows.positions(changedSince: #require(second)) == [0])
  }
}

/// An identified array, and the elements that it must contain.
struct ModeledRows {
  var rows = IdentifiedArrayOf<Row>()
  var model: [Row] = []

  /// Returns the first difference, if there is one.
  func difference(ids: Int) -> String? {
    if rows.elements != model { return "\(rows) instead of \(model)" }
    if rows.ids != model.map(\.id) { return "ids \(rows.ids) instead of \(model.map(\.id))" }
    for (position, row) in model.enumerated() {
      if rows.index(id: row.id) != position { return "\(row.id) isn't found at \(position)" }
    }
    let present = Set(rows.ids)
    for id in 0..<ids where rows.contains(id: id) != present.contains(id) {
      return "contains(id: \(id)) is wrong"
    }
    if rows != IdentifiedArray(model) { return "not equal to a new array" }
    return nil
  }

  /// Applies the same mutation to both.
  mutating func mutate(ids: Int, using generator: inout SplitMix64) -> String {
    let row = Row(.random(in: 0..<ids, using: &generator), "\(generator.next() % 100)")
    let present = model.firstIndex { $0.id == row.id }
    let end = Int.random(in: 0...model.count, using: &generator)
    let position = model.isEmpty ? 0 : Int.random(in: 0..<model.count, using: &generator)
    let other = model.isEmpty ? 0 : Int.random(in: 0..<model.count, using: &generator)
    let range = min(position, end)..<max(position, end)
    let kind = Int.random(in: 0..<(model.isEmpty ? 8 : 31), using: &generator)
    switch kind {
    case 0, 1, 2:
      #expect(rows.append(row) == (present == nil, present ?? model.count))
      if present == nil { model.append(row) }
    case 3:
      let new = (0..<ids / 3).map { Row((row.id + $0) % ids) }
      let known = Set(model.map(\.id))
      rows.append(contentsOf: new)
      model += new.filter { !known.contains($0.id) }
    case 4:
      #expect(rows.insert(row, at: end) == (present == nil, present ?? end))
      if present == nil { model.insert(row, at: end) }
    case 5:
      let new = Row(row.id + ids, row.name)
      let present = model.firstIndex { $0.id == new.id }
      #expect(rows.insert(new, at: end) == (present == nil, present ?? end))
      if present == nil { model.insert(new, at: end) }
    case 6:
      #expect(rows.updateOrAppend(row) == present.map { model[$0] })
      if let present { model[present] = row } else { model.append(row) }
    case 7:
      rows[id: row.id] = row
      if let present { model[present] = row } else { model.append(row) }
    case 8:
      #expect(rows.update(row) == present.map { model[$0] })
      if let present { model[present] = row }
    case 9:
      // A duplicate changes nothing.
      let copy = rows
      expectIssues(present == nil || present == position ? 0 : 1) { $0[position] = row }
      if present == nil || present == position { model[position] = row }
      if let present, present != position { #expect(rows == copy) }
    case 10:
      rows[id: row.id]?.name += "."
      if let present { model[present].name += "." }
    case 11:
      rows[position].name += "!"
      model[position].name += "!"
    case 12 where present == nil:
      rows[position] = row
      model[position] = row
    case 13:
      #expect(rows.remove(id: row.id) == present.map { model.remove(at: $0) })
    case 14:
      #expect(rows.remove(at: position) == model.remove(at: position))
    case 15:
      #expect(rows.removeFirst() == model.removeFirst())
    case 16:
      #expect(rows.removeLast() == model.removeLast())
    case 17:
      rows[id: row.id] = nil
      model.removeAll { $0.id == row.id }
    case 18 where range.count < 12:
      rows.removeSubrange(range)
      model.removeSubrange(range)
    case 19 where range.count < 12:
      rows.remove(atOffsets: range.reversed())
      model.removeSubrange(range)
    case 20:
      let divisor = Int.random(in: 2..<9, using: &generator)
      rows.removeAll { $0.id % divisor == 0 }
      model.removeAll { $0.id % divisor == 0 }
    case 21:
      rows.move(from: position, to: other)
      model.insert(model.remove(at: position), at: other)
    case 22:
      rows.swapAt(position, other)
      model.swapAt(position, other)
    case 23:
      let offsets = model.indices.filter { ($0 + position) % 3 == 0 }
      rows.move(fromOffsets: offsets, toOffset: end)
      let before = model.indices.filter { $0 < end && !offsets.contains($0) }
      let behind = model.indices.filter { $0 >= end && !offsets.contains($0) }
      model = (before + offsets + behind).map { model[$0] }
    case 24:
      var (first, second) = (generator, generator)
      rows[range].shuffle(using: &first)
      model[range].shuffle(using: &second)
    case 25:
      let result = rows.updateOrInsert(row, at: end)
      #expect(result == (present.map { model[$0] }, present ?? end))
      if let present { model[present] = row } else { model.insert(row, at: end) }
    case 26 where model.count - end < 12:
      rows.removeLast(model.count - end)
      model.removeLast(model.count - end)
    case 27 where end < 12:
      rows.removeFirst(end)
      model.removeFirst(end)
    case 28:
      rows.sort { ($0.name, $0.id) < ($1.name, $1.id) }
      model.sort { ($0.name, $0.id) < ($1.name, $1.id) }
    case 29 where other < 4:
      rows.removeAll(keepingCapacity: other.isMultiple(of: 2))
      model.removeAll()
    case 30:
      #expect(rows[id: row.id].take() == present.map { model.remove(at: $0) })
    default:
      break
    }
    return "operation \(kind) with \(row), \(position), \(end)"
  }
}

extension ModeledRows {
  private mutating func expectIssues(
    _ count: Int, _ change: (inout IdentifiedArrayOf<Row>) -> Void
  ) {
    var changed = rows
    let reported = issues { change(&changed) }
    rows = changed
    #expect(reported.count == count)
  }
}
