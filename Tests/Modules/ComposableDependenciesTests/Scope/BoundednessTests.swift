import ComposableDependencies
import TestSupport
import Testing

@Suite("Boundedness")
struct BoundednessTests {
  @Test(
    "rule 8: a million overrides of one key leave no more blocks than a thousand",
    .enabled(if: Allocations.areCounted))
  func memoryOfOneKeyIsFlat() {
    onSmallStack {
      func blocks(after count: Int) -> Int {
        var scope = DependencyScope.root
        return Allocations {
          for value in 0..<count { scope = scope.with(\.a, value) }
        }.remaining
      }
      #expect(blocks(after: 1_000) < 50)
      #expect(blocks(after: 1_000_000) < 50)
    }
  }

  @Test(
    "rule 8: a million overrides of many keys leave no more blocks than ten thousand",
    .enabled(if: Allocations.areCounted))
  func memoryOfManyKeysIsFlat() {
    onSmallStack {
      let members = ManyKeys.first(100)
      func blocks(after count: Int) -> Int {
        var scope = DependencyScope.isolated()
        return Allocations {
          for value in 0..<count { scope = scope.with(members[value % 100], value) }
        }.remaining
      }
      #expect(blocks(after: 10_000) < 200)
      #expect(blocks(after: 1_000_000) < 200)
    }
  }

  @Test("rule 8: a scope created in a thousand nested scopes reads and is freed like any other")
  func deepNesting() {
    func nested(_ depth: Int) -> DependencyScope {
      depth == 0
        ? .current
        : withDependencies {
          $0.a = depth
        } operation: {
          nested(depth - 1)
        }
    }
    let scope = DependencyScope.root.run { nested(1_000) }
    #expect(scope.a == 1)
    onSmallStack { _ = scope.with(\.a, 2) }
  }

  @Test("rule 8: a scope's overrides are freed with it")
  func overridesAreFreed() {
    weak var object: Token?
    do {
      let token = Token()
      object = token
      var scope = DependencyScope.root.with(\.token, token)
      for value in 0..<30 { scope = scope.with(\.a, value) }
      #expect(scope.token === token)
      #expect(object != nil)
    }
    #expect(object == nil)
  }

  @Test("rule 8: a replaced override is freed when its chain is folded")
  func shadowedOverridesAreFreed() {
    weak var object: Token?
    var scope = DependencyScope.root
    do {
      let token = Token()
      object = token
      scope = scope.with(\.token, token).with(\.token, nil)
    }
    for value in 0..<16 { scope = scope.with(\.a, value) }
    #expect(object == nil)
    #expect(scope.token == nil)
  }
}

private final class Token: Sendable {}

private enum TokenKey: DependencyKey {
  static let defaultValue: Token? = nil
}

extension Dependencies {
  fileprivate var token: Token? {
    get { self[TokenKey.self] }
    set { self[TokenKey.self] = newValue }
  }
}
