import TestSupport
import Testing

@testable import ComposableDependencies

@Suite("Tables of overrides")
struct OverrideTableTests {
  private let ids = (0..<20_000).map { ObjectIdentifier(KeptOverride.key($0)) }
  private let table = OverrideTable(owner: StoreOwner(GlobalStore(usesTestValues: false)))

  private func found(_ number: Int, in table: OverrideTable) -> Int? {
    table.find(ids[number], KeyHash(ids[number]))?.value(as: Int.self)
  }

  /// Inserts what a table doesn't own, and remembers the newest value of each identity.
  private struct Model {
    var newest: [Int: Int] = [:]
    var all: [KeptOverride] = []

    mutating func insert(_ number: Int, into table: OverrideTable) {
      let override = KeptOverride(ofKey: number, value: all.count)
      newest[number] = all.count
      all.append(override)
      override.read { table.insert($0) }
    }
  }

  private func check(_ model: Model, in table: OverrideTable) {
    #expect(ids.indices.allSatisfy { found($0, in: table) == model.newest[$0] })
    var seen: [ObjectIdentifier: Int] = [:]
    var count = 0
    table.forEach { override in
      seen[override.id] = override.value(as: Int.self)
      count += 1
    }
    #expect(count == model.newest.count)
    #expect(
      model.newest.allSatisfy { seen[ids[$0.key]] == $0.value })
  }

  @Test("rule 2: a table finds the newest override of each key, among few or many")
  func newest() {
    var model = Model()
    for count in [1, 7, 511, 512, 513, 1_024, 1_025, 8_191, 8_704, 8_705, 9_300, 17_000] {
      for number in model.newest.count..<count { model.insert(number, into: table) }
      for number in stride(from: 0, to: count, by: 3) {
        model.insert(number, into: table)
      }
      check(model, in: table)
    }
    table.makeCompact()
    check(model, in: table)
  }

  @Test("rule 3: a copy of a table and the table change independently")
  func copies() {
    for count in [0, 5, 512, 700, 9_000] {
      var model = Model()
      let table = OverrideTable(owner: StoreOwner(GlobalStore(usesTestValues: false)))
      for number in 0..<count { model.insert(number, into: table) }
      var copied = model
      let copy = OverrideTable(copying: table)
      for number in stride(from: 0, to: count + 600, by: 2) {
        copied.insert(number, into: copy)
        model.insert(number + 1, into: table)
      }
      check(copied, in: copy)
      check(model, in: table)
    }
  }

  @Test("overrides are found that all belong into the same slot")
  func collisions() throws {
    let ids = (1...100).map { Self.id(ofProduct: $0) }
    #expect(Set(ids.map { KeyHash($0).slot(.max) }) == [0])
    let nodes = ids.map { KeptOverride(of: $0) }
    let replacement = KeptOverride(of: ids[50])
    let missing = Self.id(ofProduct: 101)
    // An index can't be captured, as `#expect` would.
    var index = OverrideIndex()
    for (number, node) in nodes.enumerated() {
      let (replaced, count) = (node.read { index.insert($0) }, index.count)
      #expect(replaced == nil)
      #expect(count == number + 1)
    }
    let replaced = replacement.read { index.insert($0) }
    #expect(replaced?.kept == nodes[50])
    let copy = OverrideIndex(copying: index)
    for node in nodes {
      let found = (
        index.find(node.id, KeyHash(node.id))?.kept, copy.find(node.id, KeyHash(node.id))?.kept
      )
      let newest = node.id == ids[50] ? replacement : node
      #expect(found == (newest, newest))
    }
    let (other, count) = (copy.find(missing, KeyHash(missing)), copy.count)
    #expect(other == nil)
    #expect(count == 100)
    withExtendedLifetime((nodes, replacement)) {}
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

  @Test("an index that grows keeps an override whose place others take first")
  func growing() {
    // In 32 slots, six fill the last one and the first five, and the next lies after them. In 64
    // slots, it comes before the last of the six, which then has no place within reach.
    let slots: [UInt64] = Array(repeating: 31, count: 6) + [32] + (0..<12).map { 10 + $0 }
    let nodes = slots.enumerated().map { number, slot in
      KeptOverride(of: Self.id(ofProduct: slot << 26 + UInt64(number)))
    }
    var index = OverrideIndex()
    for (number, node) in nodes.enumerated() {
      node.read { _ = index.insert($0) }
      for present in nodes[...number] {
        let found = index.find(present.id, KeyHash(present.id))?.kept
        #expect(found == present)
      }
    }
  }

  @Test("rule 2: a full table reads right after one of its keys was replaced many times")
  func replacedInFullTable() {
    let members = ManyKeys.first(700)
    var scope = DependencyScope.isolated()
    for member in members.prefix(513) { scope = scope.with(member, member.number) }
    for value in 0..<6_000 { scope = scope.with(members[0], value) }
    for member in members.suffix(187) { scope = scope.with(member, member.number) }
    #expect(scope[members[0]] == 5_999)
    #expect(members.dropFirst().allSatisfy { scope[$0] == $0.number })
    #expect(scope.node!.overrides.count == 700)
  }

  @Test(
    "copies of a growing table need memory in proportion to their number",
    .enabled(if: Allocations.areCounted))
  func memoryOfCopies() async {
    // In a process of its own, because bytes are counted for all threads.
    await #expect(processExitsWith: .success) {
      let nodes = (0..<6_000).map { KeptOverride(ofKey: $0) }
      var tables = [OverrideTable(owner: StoreOwner(GlobalStore(usesTestValues: false)))]
      let before = Allocations.bytesInUse
      for (number, node) in nodes.enumerated() {
        if number % 8 == 0 { tables.append(OverrideTable(copying: tables.last!)) }
        node.read { tables.last!.insert($0) }
      }
      precondition(Allocations.bytesInUse - before < 30 << 20)
      withExtendedLifetime((tables, nodes)) {}
    }
  }
}
