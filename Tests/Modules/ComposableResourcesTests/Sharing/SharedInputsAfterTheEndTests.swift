import ComposableDependencies
import ComposableResources
import Environments
import TestSupport
import Testing

@Suite("Inputs of shared values that have ended")
struct SharedInputsAfterTheEndTests {
  private let number = ObjectIdentifier(OneKey.self)

  @Test("reads in `make` of a shared key are reported, and those of the instance")
  func readByMake() {
    enum Key: SharedKey {
      static func make(_ needs: SharedInputs) -> Int { needs[OneKey.self] }
    }
    let reads = ReadsAfterEnd()
    let scope = DependencyScope.isolated().with([.make(OneKey.self, 5, owner: reads.owner)])
    reads.owner.end()
    #expect(scope[Key.self] == 5)
    #expect(reads.take() == [number])
    #expect((scope[Key.self], scope[TwoKey.self]) == (5, 2))
    #expect(reads.take() == [number])
    #expect(scope.with([.make(TwoKey.self, 6, owner: ReadsAfterEnd().owner)])[Key.self] == 5)
    #expect(reads.take() == [number])
  }

  @Test("a read in `make` that bypasses `needs` doesn't keep other instances from being released")
  func carelessRead() {
    final class Object: Sendable {}
    enum Kept: SharedKey {
      static func make(_ needs: SharedInputs) -> Object {
        _ = needs[OneKey.self]
        return Object()
      }
    }
    enum Hidden: SharedKey {
      static func make(_ needs: SharedInputs) -> Object { Object() }
    }
    enum Careless: SharedKey {
      static func make(_ needs: SharedInputs) -> Int {
        _ = DependencyScope.current[Hidden.self]
        return 1
      }
    }
    let scope = DependencyScope.isolated()
    // A debug build reports the read in `make`.
    _ = issues {
      scope.run {
        weak let object = scope[Kept.self]
        #expect(object != nil)
        _ = scope[Careless.self]
        Dependencies.setGlobally { $0[OneKey.self] = 7 }
        #expect(object == nil)
      }
    }
  }

  @Test("inputs of a shared value are reported in environments, in `make` and through aliases")
  func inputsFoundOtherwise() {
    struct Environment: ScopeCapturing { let scope = DependencyScope.current }
    enum Key: SharedKey {
      static func make(_ needs: SharedInputs) -> Int { needs[OneKey.self] }
    }
    enum Outer: SharedKey {
      static func make(_ needs: SharedInputs) -> Int { needs[Key.self] + 1 }
    }
    let reads = ReadsAfterEnd()
    let store = DependencyScope.isolated()
    let scope = store.with([.make(OneKey.self, 5, owner: reads.owner)])
    let environment = scope.run { Environment() }
      .recreated(fileID: #fileID, line: #line) { $0.three = 20 }
    #expect((scope[Key.self], environment.scope[Key.self]) == (5, 5))
    reads.owner.end()
    #expect(environment.scope[Key.self] == 5)
    #expect(reads.take() == [number])
    #expect(scope[Outer.self] == 6)
    #expect(reads.take() == [number])
    store.alias(\.one, to: \.two, fileID: #fileID, line: #line)
    #expect(scope[Key.self] == 5)
    #expect(reads.take() == [number])
    #expect(scope[Key.self] == 5)
    #expect(reads.take() == [number])
  }
}
