import TestSupport
import Testing

@testable import ComposableDependencies

@Suite("Nodes and tables")
struct ScopeNodeTests {
  /// A scope to which only one reference leads.
  private func scope(of numbers: Range<Int>) -> ScopeNode? {
    var scope: ScopeNode? = ScopeNode(bareOver: .process)
    for number in numbers { ScopeNode.add(Override.ofKey(number, value: number), to: &scope) }
    return scope
  }

  private func value(_ number: Int, in scope: ScopeNode?) -> Int? {
    let id = ObjectIdentifier(Override.key(number))
    return withExtendedLifetime(scope) { scope.unretained.find(id)?.value(as: Int.self) }
  }

  @Test("rule 2: a full scope whose overrides were merged for another keeps what it gets later")
  func staleMerge() {
    var scope = scope(of: 0..<8)
    do {
      var other = scope
      ScopeNode.add(Override.ofKey(8, value: 8), to: &other)
    }
    ScopeNode.add(Override.ofKey(0, value: 100), to: &scope)
    var other = scope
    for number in 20..<30 { ScopeNode.add(Override.ofKey(number, value: number), to: &other) }
    #expect(value(0, in: other) == 100)
  }

  @Test("rule 2: a table that moved to the larger one for another scope keeps what it gets later")
  func staleMove() {
    func grow(_ scope: ScopeNode?, by numbers: Range<Int>) -> ScopeNode? {
      var grown = scope
      for number in numbers {
        var other = grown
        ScopeNode.add(Override.ofKey(number, value: number), to: &other)
        grown = other
      }
      return grown
    }
    // There are two tables, and the first of them is nearly full.
    let scope = grow(scope(of: 0..<8), by: 8..<120)
    for size in 0..<24 {
      var alone = grow(scope, by: 1_000..<1_000 + size)
      _ = grow(alone, by: 2_000..<2_030)
      for number in 3_000..<3_030 {
        ScopeNode.add(Override.ofKey(number, value: number), to: &alone)
      }
      let grown = grow(alone, by: 4_000..<4_120)
      #expect((3_000..<3_030).allSatisfy { value($0, in: grown) == $0 }, "\(size)")
      #expect((0..<120).allSatisfy { value($0, in: grown) == $0 }, "\(size)")
    }
  }

  @Test("a scope that grows in place finds its overrides, and none of other keys")
  func growsInPlace() {
    var scope = scope(of: 0..<0)
    for number in 0..<200 {
      #expect(value(number, in: scope) == nil)
      ScopeNode.add(Override.ofKey(number, value: number), to: &scope)
      #expect((0...number).allSatisfy { value($0, in: scope) == $0 }, "\(number)")
    }
  }

  @Test("a scope that is built on an environment's own belongs to no environment")
  func ownOfEnvironment() {
    let around = scope(of: 0..<2)!
    var scope: ScopeNode? = ScopeNode(
      of: EnvironmentOverrides(around: around, of: Self.self, overrides: []))
    #expect(scope?.own != nil)
    ScopeNode.add(Override.ofKey(2, value: 2), to: &scope)
    #expect(scope?.own == nil)
    #expect((0..<3).allSatisfy { value($0, in: scope.entered()) == $0 })
  }

  @Test("a table counts each key once, however often that is set")
  func count() {
    var table = OverrideTable()
    for number in 0..<100 {
      table.makeRoom(for: 1)
      table.insert(.retaining(Override.ofKey(number % 10)))?.release()
    }
    #expect(table.count == 10)
  }

  @Test("a node's first property is its places, which one override after the other fills")
  func places() {
    var scope: ScopeNode? = ScopeNode(bareOver: .process)
    for number in 0..<8 {
      let override = Override.ofKey(number, value: number)
      ScopeNode.add(override, to: &scope)
      let node = unsafe UnsafeRawPointer(Unmanaged.passUnretained(scope!).toOpaque())
      let word = MemoryLayout<UInt>.size
      let place = unsafe node.load(fromByteOffset: (2 + number) * word, as: UInt.self)
      #expect(place == Unretained.address(of: override))
      #expect(value(number, in: scope) == number)
    }
  }

  @Test("what another module keeps with an override is released with it, and exists once")
  func attachments() {
    let overrides = (0..<1_500).map { Override.ofKey($0) }
    let attached = onTwoThreads(rounds: 1_500) { round, _ in
      ObjectIdentifier(overrides[round].attached { Tracked(AliveCounter()) })
    }
    #expect(attached.allSatisfy { $0.first == $0.second })
    let alive = AliveCounter()
    do {
      let override = Override.ofKey(0)
      _ = override.attached { Tracked(alive) }
      #expect(alive.count == 1)
      withExtendedLifetime(override) {}
    }
    #expect(alive.count == 0)
  }
}
