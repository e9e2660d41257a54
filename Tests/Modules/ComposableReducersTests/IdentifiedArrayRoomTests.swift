import TestSupport
import Testing

@testable import ComposableReducers

@Suite("Memory of identified arrays")
struct IdentifiedArrayRoomTests {
  private func array(_ count: Int) -> IdentifiedArray<Int, Int> {
    IdentifiedArray(uniqueElements: 0..<count, id: \.self)
  }

  private func address(of array: IdentifiedArray<Int, Int>) -> UInt? {
    unsafe array.table.slots.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) }
  }

  @Test("up to sixteen elements need no table, however they come")
  func small() {
    for (count, isSmall) in [(16, true), (17, false)] {
      #expect(array(count).table.isEmpty == isSmall)
      var reserved = array(0)
      reserved.reserveCapacity(count)
      #expect(reserved.table.isEmpty == isSmall)
    }
  }

  @Test("removing all but a few elements at once frees the table")
  func bulk() {
    var rows = array(40)
    rows.remove(atOffsets: 3..<40)
    #expect(rows.table.isEmpty)
    #expect(rows.map { rows.index(id: $0) } == [0, 1, 2])
    rows = array(40)
    rows.removeAll { $0 >= 3 }
    #expect(rows.table.isEmpty)
    #expect(rows.map { rows.index(id: $0) } == [0, 1, 2])
  }

  @Test("a table with reserved room is never rebuilt")
  func reserved() {
    var rows = array(1_000)
    rows.reserveCapacity(2_000)
    var addresses = [address(of: rows)]
    rows.reserveCapacity(2_000)
    addresses.append(address(of: rows))
    while !rows.isEmpty {
      rows.removeLast()
      addresses.append(address(of: rows))
    }
    #expect(Set(addresses).count == 1)
  }

  @Test("up to 64 positions are marked without memory", .enabled(if: Allocations.areCounted))
  func marks() {
    var marks = Marks(count: 65)
    for (count, blocks) in [(1, 0), (64, 0), (65, 1), (200, 1)] {
      #expect(Allocations { marks = Marks(count: count) }.allocated == blocks)
      for position in stride(from: 0, to: count, by: 3) { marks.mark(position) }
      #expect((0..<count).allSatisfy { marks[$0] == ($0 % 3 == 0) })
    }
  }
}
