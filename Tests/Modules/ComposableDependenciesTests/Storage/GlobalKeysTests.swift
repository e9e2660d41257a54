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
