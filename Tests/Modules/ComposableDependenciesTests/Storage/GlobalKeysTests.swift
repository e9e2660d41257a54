import TestSupport
import Testing

@testable import ComposableDependencies

@Suite("The keys of a global store")
struct GlobalKeysTests {
  private final class Identity: Sendable {}

  /// Lets threads share the set, which can't be copied.
  private final class Shared: Sendable {
    private let keys = GlobalKeys()
    var isEmpty: Bool { keys.isEmpty }
    func use(of id: ObjectIdentifier) -> GlobalKeys.Use { keys.use(of: id) }
    func insert(_ ids: some Sequence<ObjectIdentifier>, areAliased: Bool) {
      keys.insert(ids, areAliased: areAliased)
    }
  }

  private let identities = (0..<3_000).map { _ in Identity() }
  private var ids: [ObjectIdentifier] { identities.map { ObjectIdentifier($0) } }

  @Test("a key is known as set from its first value on, and as aliased from its first alias on")
  func uses() {
    let (keys, ids) = (Shared(), ids)
    #expect(keys.isEmpty)
    #expect(ids.allSatisfy { keys.use(of: $0) == .none })
    for (number, id) in ids.prefix(2_000).enumerated() {
      keys.insert([id], areAliased: number % 3 == 0)
      #expect(!keys.isEmpty)
    }
    // Neither a later value nor a repeated alias changes a key that is aliased.
    keys.insert(ids.prefix(2_000), areAliased: false)
    keys.insert(ids.prefix(1), areAliased: true)
    for (number, id) in ids.enumerated() {
      #expect(
        keys.use(of: id) == (number >= 2_000 ? .none : number % 3 == 0 ? .isAliased : .isSet))
    }
    keys.insert(ids, areAliased: true)
    #expect(ids.allSatisfy { keys.use(of: $0) == .isAliased })
  }

  @Test("two threads insert and look up keys of the same small set")
  func onThreads() {
    let (sets, ids) = ((0..<300).map { _ in Shared() }, Array(ids.prefix(60)))
    onTwoThreads(rounds: 300) { [identities] round, isFirst in
      for id in isFirst ? ids.prefix(30) : ids.suffix(30) {
        sets[round].insert([id], areAliased: false)
        #expect(sets[round].use(of: id) == .isSet)
        _ = sets[round].use(of: ids[round % 60])
      }
      withExtendedLifetime(identities) {}
    }
    #expect(sets.allSatisfy { set in ids.allSatisfy { set.use(of: $0) == .isSet } })
  }
}
