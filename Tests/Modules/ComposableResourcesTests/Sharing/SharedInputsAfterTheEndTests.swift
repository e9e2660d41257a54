import ComposableDependencies
import ComposableResources
import Environments
import TestSupport
import Testing

private enum NumberKey: DependencyKey {
  static var defaultValue: Int { 0 }
}

private enum OtherKey: DependencyKey {
  static var defaultValue: Int { 1 }
}

extension Dependencies {
  fileprivate var number: Int {
    get { self[NumberKey.self] }
    set { self[NumberKey.self] = newValue }
  }

  fileprivate var other: Int {
    get { self[OtherKey.self] }
    set { self[OtherKey.self] = newValue }
  }
}

@Suite("Inputs of shared values that have ended")
struct SharedInputsAfterTheEndTests {
  private let number = ObjectIdentifier(NumberKey.self)
  private let other = ObjectIdentifier(OtherKey.self)

  @Test("reads in `make` of a shared key are reported, and those of the instance")
  func readByMake() {
    enum Key: SharedKey {
      static func make(_ needs: SharedInputs) -> Int { needs[NumberKey.self] }
    }
    let owner = Owner()
    let scope = DependencyScope.isolated().with(NumberKey.self, 5, owner: owner)
    owner.end.come()
    #expect(scope[Key.self] == 5)
    #expect(owner.takeReads() == [number])
    #expect((scope[Key.self], scope[OtherKey.self]) == (5, 1))
    #expect(owner.takeReads() == [number])
    #expect(scope.with(OtherKey.self, 6, owner: Owner())[Key.self] == 5)
    #expect(owner.takeReads() == [number])
  }

  @Test("only reads by the run of `make` whose instance is found are reported, each of them")
  func readByOneOfManyRuns() {
    enum Key: SharedKey {
      static func make(_ needs: SharedInputs) -> Int {
        needs[\.one] == 0 ? 0 : needs[NumberKey.self] + needs[OtherKey.self]
      }
    }
    let (owner, otherOwner) = (Owner(), Owner())
    let base = DependencyScope.isolated()
      .with(NumberKey.self, 5, owner: owner).with(OtherKey.self, 6, owner: otherOwner)
    let (without, with) = (base.with(\.one, 0), base.with(\.one, 1))
    #expect((without[Key.self], with[Key.self]) == (0, 11))
    owner.end.come()
    otherOwner.end.come()
    #expect(without[Key.self] == 0)
    #expect(owner.takeReads() + otherOwner.takeReads() == [])
    #expect(with[Key.self] == 11)
    #expect((owner.takeReads(), otherOwner.takeReads()) == ([number], [other]))
  }

  @Test("inputs of a shared value are reported in environments, in `make` and through aliases")
  func inputsFoundOtherwise() {
    struct Environment: ScopeCapturing { let scope = DependencyScope.current }
    enum Key: SharedKey {
      static func make(_ needs: SharedInputs) -> Int { needs[NumberKey.self] }
    }
    enum Outer: SharedKey {
      static func make(_ needs: SharedInputs) -> Int { needs[Key.self] + 1 }
    }
    let owner = Owner()
    let store = DependencyScope.isolated()
    let scope = store.with(NumberKey.self, 5, owner: owner)
    let environment = scope.run { Environment() }
      .recreated(fileID: #fileID, line: #line) { $0.two = 20 }
    #expect((scope[Key.self], environment.scope[Key.self]) == (5, 5))
    owner.end.come()
    #expect(environment.scope[Key.self] == 5)
    #expect(owner.takeReads() == [number])
    #expect(scope[Outer.self] == 6)
    #expect(owner.takeReads() == [number])
    store.alias(\.number, to: \.other, fileID: #fileID, line: #line)
    #expect(scope[Key.self] == 5)
    #expect(owner.takeReads() == [number])
    #expect(scope[Key.self] == 5)
    #expect(owner.takeReads() == [number])
  }
}
