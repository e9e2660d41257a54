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
    _ = aliases.alias(Key<Int8>.self, to: Key<Int16>.self)
    _ = aliases.alias(Key<Int32>.self, to: Key<Int16>.self)
    let large = aliases[ObjectIdentifier(Key<Int16>.self)]
    #expect(aliases.alias(Key<Int64>.self, to: Key<Int16>.self) == .added)
    #expect(aliases[ObjectIdentifier(Key<Int64>.self)] === large)
    #expect(aliases.alias(Key<Int16>.self, to: Key<UInt8>.self) == .added)
    #expect(aliases[ObjectIdentifier(Key<UInt8>.self)] === large)
    #expect(aliases[ObjectIdentifier(Key<Int8>.self)] === large)
  }
}
