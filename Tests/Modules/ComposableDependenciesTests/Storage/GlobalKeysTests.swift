import TestSupport
import Testing

@testable import ComposableDependencies

@Suite("The keys of a global store")
struct GlobalKeysTests {
  private final class Identity: Sendable {}

  /// Lets threads share the set, which can't be copied.
  private final class Shared: Sendable {
    private let keys = GlobalKeys()
    func use(of id: ObjectIdentifier) -> GlobalKeys.Use { keys.use(of: id) }
    func insert(_ id: ObjectIdentifier) { keys.insert([id], areAliased: false) }
  }

  private let identities = (0..<60).map { _ in Identity() }

  @Test("a key that is aliased stays so when it is set, and one that is set may be aliased later")
  func setAndAliased() {
    let keys = GlobalKeys()
    let ids = identities.map { ObjectIdentifier($0) }
    keys.insert(ids.prefix(20), areAliased: true)
    keys.insert(ids.prefix(40), areAliased: false)
    keys.insert(ids[30..<50], areAliased: true)
    let uses = ids.map { keys.use(of: $0) }
    #expect(uses[..<20].allSatisfy { $0 == .isAliased })
    #expect(uses[20..<30].allSatisfy { $0 == .isSet })
    #expect(uses[30..<50].allSatisfy { $0 == .isAliased })
    #expect(uses[50...].allSatisfy { $0 == .none })
  }

  @Test("two threads insert and look up keys of the same small set")
  func onThreads() {
    let (sets, ids) = ((0..<300).map { _ in Shared() }, identities.map { ObjectIdentifier($0) })
    onTwoThreads(rounds: 300) { [identities] round, isFirst in
      for id in isFirst ? ids.prefix(30) : ids.suffix(30) {
        sets[round].insert(id)
        #expect(sets[round].use(of: id) == .isSet)
        _ = sets[round].use(of: ids[round % 60])
      }
      withExtendedLifetime(identities) {}
    }
    #expect(sets.allSatisfy { set in ids.allSatisfy { set.use(of: $0) == .isSet } })
  }
}
