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
    let owner = Owner()
    let scope = DependencyScope.isolated().with(OneKey.self, 5, owner: owner)
    owner.end.reach()
    #expect(scope[Key.self] == 5)
    #expect(owner.takeReads() == [number])
    #expect((scope[Key.self], scope[TwoKey.self]) == (5, 2))
    #expect(owner.takeReads() == [number])
    #expect(scope.with(TwoKey.self, 6, owner: Owner())[Key.self] == 5)
    #expect(owner.takeReads() == [number])
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
    let owner = Owner()
    let store = DependencyScope.isolated()
    let scope = store.with(OneKey.self, 5, owner: owner)
    let environment = scope.run { Environment() }
      .recreated(fileID: #fileID, line: #line) { $0.three = 20 }
    #expect((scope[Key.self], environment.scope[Key.self]) == (5, 5))
    owner.end.reach()
    #expect(environment.scope[Key.self] == 5)
    #expect(owner.takeReads() == [number])
    #expect(scope[Outer.self] == 6)
    #expect(owner.takeReads() == [number])
    store.alias(\.one, to: \.two, fileID: #fileID, line: #line)
    #expect(scope[Key.self] == 5)
    #expect(owner.takeReads() == [number])
    #expect(scope[Key.self] == 5)
    #expect(owner.takeReads() == [number])
  }
}
