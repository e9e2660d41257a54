import Testing

@testable import ComposableReducers

@Suite("Owners of effects")
struct EffectOwnerTests {
  @Test("while the elements are the same, only those with new effects are looked for")
  func candidates() throws {
    let (root, place) = (EffectOwner(), ReducerPlace())
    func add(_ id: Int) { _ = root.child(id, at: place) }
    for id in 1...3 { add(id) }
    let elements = try #require(root.elements(at: place, by: Int.self))
    let ids = Array(1...3)
    #expect(Set(elements.candidates(among: ids)) == [1, 2, 3])
    elements.remember(ids)
    #expect(elements.candidates(among: ids).isEmpty)
    add(4)
    #expect(elements.candidates(among: ids) == [4])
    #expect(Set(elements.candidates(among: [1, 2, 3])) == [1, 2, 3, 4])
    #expect(Set(elements.candidates(among: nil)) == [1, 2, 3, 4])
    elements.remember(ids)
    #expect(elements.candidates(among: ids).isEmpty)
    elements.remember(nil)
    #expect(Set(elements.candidates(among: ids)) == [1, 2, 3, 4])
    // To keep more would let each change of the array copy them.
    for (count, areKept) in [(32, true), (33, false)] {
      let many = Array(0..<count)
      elements.remember(many)
      #expect(elements.candidates(among: many).isEmpty == areKept)
    }
    withExtendedLifetime(place) {}
  }

  @Test("an owner knows whether the owners below it have children, whatever comes and goes")
  func grandchildren() throws {
    let (root, rows) = (EffectOwner(), ReducerPlace())
    let (first, second) = (ReducerPlace(), ReducerPlace())
    let row = root.child(1, at: rows).0
    let elements = try #require(root.elements(at: rows, by: Int.self))
    #expect(elements.hasNoGrandchildren)
    for place in [first, second] { _ = row.child("a", at: place) }
    #expect(!elements.hasNoGrandchildren)
    for (place, areAllGone) in [(first, false), (second, true)] {
      let grandchildren = try #require(row.elements(at: place, by: String.self))
      #expect(row.take(["a"], of: grandchildren).count == 1)
      #expect(elements.hasNoGrandchildren == areAllGone)
      // They are already gone.
      #expect(row.take(["a"], of: grandchildren).isEmpty)
      #expect(elements.hasNoGrandchildren == areAllGone)
    }
    withExtendedLifetime((rows, first, second)) {}
  }

  @Test("an owner that goes takes its children with it, and counts only if it has some")
  func removed() throws {
    let (root, rows, details) = (EffectOwner(), ReducerPlace(), ReducerPlace())
    let (row, _) = (root.child(1, at: rows).0, root.child(2, at: rows).0)
    let elements = try #require(root.elements(at: rows, by: Int.self))
    _ = row.child("a", at: details)
    #expect(root.take([2], of: elements).count == 1)
    #expect(!elements.hasNoGrandchildren)
    #expect(root.take([1], of: elements).count == 1)
    #expect(elements.hasNoGrandchildren)
    #expect(!root.hasChildren)
    withExtendedLifetime((rows, details)) {}
  }
}
