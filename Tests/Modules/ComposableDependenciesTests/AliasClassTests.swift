import Testing

@testable import ComposableDependencies

@Suite("Classes of aliased keys")
struct AliasClassTests {
  private enum Key<Tag: Sendable>: DependencyKey {
    static var defaultValue: Int { 0 }
  }

  @Test("the smaller of two classes moves into the larger one, whichever is aliased to the other")
  func smallerMoves() {
    var aliases = Aliases()
    _ = aliases.alias(Key<Int8>.self, to: Key<Int16>.self, epoch: 1)
    _ = aliases.alias(Key<Int32>.self, to: Key<Int16>.self, epoch: 2)
    let large = aliases[ObjectIdentifier(Key<Int16>.self)]
    #expect(aliases.alias(Key<Int64>.self, to: Key<Int16>.self, epoch: 3) == .added)
    #expect(aliases[ObjectIdentifier(Key<Int64>.self)] === large)
    #expect(aliases.alias(Key<Int16>.self, to: Key<UInt8>.self, epoch: 4) == .added)
    #expect(aliases[ObjectIdentifier(Key<UInt8>.self)] === large)
    #expect(aliases[ObjectIdentifier(Key<Int8>.self)] === large)
  }

  @Test("the first override of a scope counts as newer than the aliases declared before it")
  func newOverride() throws {
    let scope = DependencyScope.isolated()
    let store = scope.node.store
    _ = store.alias(Key<Int8>.self, to: Key<Int16>.self)
    #expect(try #require(scope.node).aliasEpoch < store.aliasEpoch)
    let first = try #require(scope.with { $0[Key<Int32>.self] = 1 }.node)
    #expect(first.aliasEpoch == store.aliasEpoch)
    _ = store.alias(Key<Int32>.self, to: Key<Int16>.self)
    let second = try #require(DependencyScope(node: first).with { $0[Key<Int64>.self] = 2 }.node)
    #expect(second.aliasEpoch == first.aliasEpoch)
    #expect(DependencyScope(node: second)[Key<Int8>.self] == 1)
    // A scope in which places aren't recorded stays one.
    store.recordPlaces()
    let unrecorded = try #require(scope.with { $0[Key<Int64>.self] = 3 }.node)
    #expect(unrecorded.aliasEpoch | GlobalStore.recordingEpoch == store.aliasEpoch)
    #expect(unrecorded.aliasEpoch & GlobalStore.recordingEpoch == 0)
  }
}
