import TestSupport
import Testing

@testable import ComposableDependencies

@Suite("Tables of overrides")
struct OverrideTableTests {
  @Test("rule 2: a table finds the newest override of each key, among few or many")
  func newest() {
    let ids = (0..<3_000).map { ObjectIdentifier(Override.key($0)) }
    // A table can't be captured, as `#expect` would.
    var table = OverrideTable()
    var newest: [Int: Int] = [:]
    var value = 0
    for count in [1, 7, 16, 17, 511, 1_024, 2_000] {
      for number in Array(newest.count..<count) + Array(stride(from: 0, to: count, by: 3)) {
        value += 1
        table.makeRoom(for: 1)
        table.insert(.retaining(.ofKey(number, value: value)))?.release()
        newest[number] = value
      }
      let values = ids.map { table.find($0, KeyHash($0))?.value(as: Int.self) }
      #expect(values == ids.indices.map { newest[$0] })
      var seen: [ObjectIdentifier: Int] = [:]
      table.forEach { seen[$0.id] = $0.value(as: Int.self) }
      #expect(seen.count == count)
      #expect(newest.allSatisfy { seen[ids[$0.key]] == $0.value })
    }
  }

  @Test("overrides are found that all belong into the same slot")
  func collisions() {
    let ids = (1...100).map { Self.id(ofProduct: $0) }
    #expect(Set(ids.map { KeyHash($0).slot(.max) }) == [0])
    let overrides = ids.map { Override.of($0) }
    var table = OverrideTable(room: 3)
    for override in overrides {
      table.makeRoom(for: 1)
      let replaced = table.insert(.retaining(override))
      #expect(replaced == nil)
    }
    for override in overrides {
      let found = table.find(override.id, KeyHash(override.id))?.object
      #expect(found === override)
    }
    let missing = Self.id(ofProduct: 101)
    let other = table.find(missing, KeyHash(missing))
    #expect(other == nil)
  }

  /// The identity that `KeyHash` multiplies to a product.
  private static func id(ofProduct product: UInt64) -> ObjectIdentifier {
    // What the multiplication undoes.
    var inverse: UInt64 = 1
    while inverse &* 0x9E37_79B9_7F4A_7C15 != 1 {
      inverse &*= 2 &- inverse &* 0x9E37_79B9_7F4A_7C15
    }
    return unsafe unsafeBitCast(product &* inverse, to: ObjectIdentifier.self)
  }
}
