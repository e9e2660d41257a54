import TestSupport
import Testing

@testable import ComposableDependencies

@Suite("Nodes of overrides")
struct OverrideNodeTests {
  private let table = OverrideTable(owner: StoreOwner(GlobalStore(usesTestValues: false)))

  private func chain(of numbers: Range<Int>) -> OverrideNode {
    .chain(of: numbers, over: table)
  }

  @Test("overrides that are set together fill three nodes, and nothing stays unused")
  func fullNodes() {
    let nodes = chain(of: 0..<8).nodes
    #expect(nodes.map(\.head.depth) == [8, 4, 1])
    #expect(nodes.allSatisfy { $0.isFull })
  }

  @Test("a node has room for one override if others build on the scope below", arguments: 1...8)
  func sharedBelow(depth: Int) {
    let below = chain(of: 0..<depth)
    let node = OverrideNode.adding(9, to: below)
    #expect(node.isFull)
    #expect(node.newest!.value(as: Int.self) == 9)
    withExtendedLifetime(below) {}
  }

  private enum WideKey: DependencyKey {
    struct Value {
      var first = 0, second = 0, third = 0, fourth = 0
    }
    static var defaultValue: Value { Value() }
  }

  @Test("a chain ends after eight overrides, even if its newest node has room")
  func longestChain() {
    var node: OverrideNode? = .adding(
      WideKey.self, layout: WideKey.valueLayout, to: chain(of: 0..<4)
    ) { $0.initialize(to: WideKey.Value()) }
    for number in 4..<7 { node = .adding(number, to: node.take()) }
    #expect(node!.head.depth == 8)
    #expect(node!.head.capacity - node!.head.used > 6)
    node = .adding(7, to: node.take())
    #expect(node!.head.depth == 1)
    #expect((0..<8).allSatisfy { node!.value($0) == $0 })
  }

  @Test("a chain knows whether it overrides each key once, even if keys share a bit")
  func sharedBits() {
    func bit(_ number: Int) -> UInt64 { KeyHash(ObjectIdentifier(KeptOverride.key(number))).bit }
    let other = (1..<10_000).first { bit($0) == bit(0) }!
    let both = OverrideNode.adding(other, to: chain(of: 0..<1))
    #expect(both.overridesEachKeyOnce)
    #expect(!OverrideNode.adding(0, to: both).overridesEachKeyOnce)
    #expect(!OverrideNode.adding(0, to: chain(of: 0..<2)).overridesEachKeyOnce)
  }

  @Test("copies lie side by side, and nothing stays unused")
  func copies() {
    let originals = (0..<20).map { KeptOverride(ofKey: $0, value: $0) }
    var copies = OverrideCopies(20, on: nil)
    let copied = originals.map { $0.read { copies.add($0).kept } }
    let nodes = copies.kept!.nodes
    #expect(nodes.count == 3)
    #expect(nodes.allSatisfy { $0.isFull })
    #expect(copied.map { $0.anyValue as! Int } == Array(0..<20))
  }

  @Test("the copy of a watched override is the only one that is watched")
  func watchedCopies() {
    let observer = ReadObserver()
    let originals = (0..<9).map { number in
      OverrideNode.single(
        KeptOverride.key(number), layout: ValueLayout(of: Int.self),
        observer: number % 4 == 1 ? observer : nil
      ) { $0.initialize(to: number) }
    }
    var copies = OverrideCopies(9, on: nil)
    let copied = originals.map { $0.read { copies.add($0).kept } }
    #expect(copied.map { $0.read(\.isWatched) } == (0..<9).map { $0 % 4 == 1 })
    #expect(copies.kept!.nodes.count == 5)
  }

  @Test("rule 8: a long list of nodes is freed on a small stack")
  func freeing() {
    onSmallStack {
      var list: OverrideNode?
      for _ in 0..<20_000 {
        let node = KeptOverride(ofKey: 0).node
        node.keep(list.take())
        list = node
      }
      #expect(list!.below != nil)
    }
  }
}

@Suite("Taking over a chain")
struct TakingOverTests {
  private let table = OverrideTable(owner: StoreOwner(GlobalStore(usesTestValues: false)))

  @Test("a table takes over a chain in place if nothing else refers to one of its nodes")
  func inPlace() {
    var chain: OverrideNode? = .chain(of: 0..<8, over: table)
    let newest = ObjectIdentifier(chain!)
    let (table, isInPlace) = OverrideNode.table(takingOver: chain.take())
    #expect(isInPlace)
    #expect(table.kept.map { ObjectIdentifier($0) } == newest)
    let node = OverrideNode.bare(over: table)
    #expect((0..<8).allSatisfy { node.value($0) == $0 })
  }

  @Test(
    "rule 3: a table copies a chain if something else refers to one of its nodes",
    arguments: 1...8)
  func copied(depth: Int) {
    let shared = OverrideNode.chain(of: 0..<depth, over: table)
    var chain: OverrideNode? = shared
    for number in depth..<8 { chain = .adding(number, to: chain.take()) }
    let (table, isInPlace) = OverrideNode.table(takingOver: chain.take())
    #expect(!isInPlace)
    let node = OverrideNode.bare(over: table)
    #expect((0..<8).allSatisfy { node.value($0) == $0 })
    #expect((0..<8).allSatisfy { shared.value($0) == ($0 < depth ? $0 : nil) })
  }
}

extension OverrideNode {
  /// A chain to which only one reference leads.
  fileprivate static func chain(of numbers: Range<Int>, over table: OverrideTable) -> OverrideNode {
    var node: OverrideNode? = .bare(over: table)
    for number in numbers { node = adding(number, to: node.take()) }
    return node!
  }

  fileprivate static func adding(_ number: Int, to below: consuming OverrideNode?) -> OverrideNode {
    adding(
      KeptOverride.key(number), layout: ValueLayout(of: Int.self), to: below
    ) { $0.initialize(to: number) }
  }

  /// This node and those below it.
  fileprivate var nodes: [OverrideNode] {
    var nodes = [self]
    while let below = nodes.last!.below { nodes.append(below.object) }
    return nodes
  }

  fileprivate var isFull: Bool { head.used == head.capacity }

  fileprivate func value(_ number: Int) -> Int? {
    let id = ObjectIdentifier(KeptOverride.key(number))
    return findOverride(id, KeyHash(id))?.value(as: Int.self)
  }
}
