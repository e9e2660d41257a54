import DependencyDebugging
import Environments
import ComposableDependencies
import Synchronization
import TestSupport
import Testing

private enum NumberKey: DependencyKey {
  static var defaultValue: Int { 0 }
}

private enum OtherKey: DependencyKey {
  static var defaultValue: Int { 1 }
}

@Suite("Overrides that can end")
struct OwnedOverridesTests {
  private final class Owner: OverrideOwner {
    let end = OverrideEnd()
    let reads = Mutex<[ObjectIdentifier]>([])

    func didRead(_: any DependencyKey.Type, of key: any DependencyKey.Type) {
      reads.withLock { $0.append(ObjectIdentifier(key)) }
    }

    func takeReads() -> [ObjectIdentifier] {
      reads.withLock { reads in
        defer { reads = [] }
        return reads
      }
    }
  }

  private let number = ObjectIdentifier(NumberKey.self)
  private let other = ObjectIdentifier(OtherKey.self)

  @Test("reads in `make` of a shared key are reported, and those of what it has made")
  func readByMake() {
    enum Key: SharedKey {
      static func make() -> Int { DependencyScope.current[NumberKey.self] }
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
      static func make() -> Int {
        let scope = DependencyScope.current
        return scope.a == 0 ? 0 : scope[NumberKey.self] + scope[OtherKey.self]
      }
    }
    let (owner, otherOwner) = (Owner(), Owner())
    let base = DependencyScope.isolated()
      .with(NumberKey.self, 5, owner: owner).with(OtherKey.self, 6, owner: otherOwner)
    let (without, with) = (base.with(\.a, 0), base.with(\.a, 1))
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
      static func make() -> Int { DependencyScope.current[NumberKey.self] }
    }
    enum Outer: SharedKey {
      static func make() -> Int { DependencyScope.current[Key.self] + 1 }
    }
    let owner = Owner()
    let store = DependencyScope.isolated()
    let scope = store.with(NumberKey.self, 5, owner: owner)
    let environment = scope.run { Environment() }
      .recreated(fileID: #fileID, line: #line) { $0.b = 20 }
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

  @Test("the report of a read sees what the owner did before its end")
  func onThreads() {
    final class Owner: OverrideOwner, @unchecked Sendable {
      let end = OverrideEnd()
      nonisolated(unsafe) var reason = 0
      func didRead(_: any DependencyKey.Type, of key: any DependencyKey.Type) {
        unsafe #expect(reason == 1)
      }
    }
    let owners = (0..<1_000).map { _ in Owner() }
    let scopes = owners.map { DependencyScope.isolated().with(NumberKey.self, 5, owner: $0) }
    onTwoThreads(rounds: 1_000) { round, isFirst in
      if isFirst {
        unsafe owners[round].reason = 1
        owners[round].end.come()
      } else {
        for _ in 0..<10 { _ = scopes[round][NumberKey.self] }
      }
    }
  }
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
