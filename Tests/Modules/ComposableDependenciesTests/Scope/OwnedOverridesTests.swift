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

  @Test("only reads after the end are reported, each of them")
  func reported() {
    let owner = Owner()
    let scope = DependencyScope.isolated().with(NumberKey.self, 5, owner: owner)
    #expect(scope[NumberKey.self] == 5)
    #expect(owner.takeReads() == [])
    owner.end.come()
    #expect((scope[NumberKey.self], scope[NumberKey.self], scope[OtherKey.self]) == (5, 5, 1))
    #expect(owner.takeReads() == [number, number])
  }

  @Test("reads through an alias are reported, whichever is set first")
  func aliased() {
    let owner = Owner()
    let empty = DependencyScope.isolated()
    let before = empty.with(NumberKey.self, 5, owner: owner)
    empty.alias(\.number, to: \.other, fileID: #fileID, line: 1)
    let after = empty.with(OtherKey.self, 6, owner: owner)
    #expect((before[OtherKey.self], after[NumberKey.self]) == (5, 6))
    #expect(owner.takeReads() == [])
    owner.end.come()
    #expect((before[OtherKey.self], after[NumberKey.self]) == (5, 6))
    // An override that was made after the alias was made for each of its keys, the root first.
    #expect(owner.takeReads() == [number, ObjectIdentifier(OtherKey.self)])
    _ = empty[NumberKey.self]
    #expect(owner.takeReads() == [])
  }

  @Test("copies of the override belong to the owner, below many others too")
  func copied() {
    let owner = Owner()
    let scope = DependencyScope.isolated().with(NumberKey.self, 5, owner: owner)
    // Kept twice, so that the chain is copied into a table.
    let keys = ManyKeys.first(40)
    var built = keys.map { scope.with($0, 0) }
    for key in keys { built = built.map { $0.with(key, 1) } }
    owner.end.come()
    for scope in built { #expect(scope[NumberKey.self] == 5) }
    #expect(owner.takeReads() == Array(repeating: number, count: built.count))
  }

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

  @Test("an override of the same key hides the owner's")
  func hidden() {
    let owner = Owner()
    let scope = DependencyScope.isolated().with(NumberKey.self, 5, owner: owner)
      .with { $0[NumberKey.self] = 6 }
    owner.end.come()
    #expect(scope[NumberKey.self] == 6)
    #expect(owner.takeReads() == [])
  }

  @Test("an override on an environment's scope is none of the environment's own")
  func onEnvironmentsLater() {
    struct Environment: ScopeCapturing { let scope = DependencyScope.current }
    let store = DependencyScope.isolated().with(\.a, 10)
    let environment = store.run { Environment() }
      .recreated(fileID: #fileID, line: #line) { $0.b = 20 }
    let scopes = [
      environment.scope.with(\.c, 30),
      environment.scope.with(at: .init(fileID: "A", line: 1)) { $0.c = 30 },
      environment.scope.run { DependencyScope.current.with(\.c, 30) },
      environment.scope.run {
        withDependencies {
          $0.c = 30
        } operation: {
          .current
        }
      },
    ]
    store.alias(\.c, to: \.a, fileID: #fileID, line: #line)
    for scope in scopes { #expect((scope.a, scope.b, scope.c) == (10, 20, 10)) }
  }

  @Test("a read of a shared key's override is reported once")
  func overrideOfSharedKey() {
    enum Key: SharedKey { static func make() -> Int { 1 } }
    let owner = Owner()
    let scope = DependencyScope.isolated().with(Key.self, 5, owner: owner)
    owner.end.come()
    #expect(scope[Key.self] == 5)
    #expect(owner.takeReads() == [ObjectIdentifier(Key.self)])
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

  @Test("an owner's override outside any scope is one of all aliased keys")
  func outsideAnyScope() async {
    await #expect(processExitsWith: .success) {
      DependencyScope.root.alias(\.number, to: \.other, fileID: #fileID, line: #line)
      await Task.detached {
        let scope = DependencyScope.current.with(NumberKey.self, 5, owner: Owner())
        precondition((scope[NumberKey.self], scope[OtherKey.self]) == (5, 5))
      }.value
    }
  }

  @Test("a scope knows whether its defaults are test values")
  func testValues() {
    #expect(DependencyScope.isolated(usingTestValues: true).with(\.a, 1).readsTestValues)
    #expect(!DependencyScope.isolated().readsTestValues)
    #expect(!DependencyScope.root.readsTestValues)
  }

  @Test("a scope knows where the value of a key comes from")
  func settings() {
    let owner = Owner()
    let scope = DependencyScope.isolated()
    guard case .nothing = scope.setting(of: NumberKey.self) else {
      Issue.record("nothing is set")
      return
    }
    let owned = scope.with(NumberKey.self, 5, owner: owner)
    guard case .override(let found?) = owned.setting(of: NumberKey.self), found === owner else {
      Issue.record("the override is the owner's")
      return
    }
    guard case .override(nil) = scope.with({ $0[NumberKey.self] = 6 }).setting(of: NumberKey.self)
    else {
      Issue.record("the override is nobody's")
      return
    }
    scope.setGlobally(\.number, 7)
    guard case .global = scope.setting(of: NumberKey.self) else {
      Issue.record("the value is global")
      return
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
