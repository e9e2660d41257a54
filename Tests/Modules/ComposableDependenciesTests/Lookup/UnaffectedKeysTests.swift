import DependencyDebugging
import Environments
import TestSupport
import Testing

@testable import ComposableDependencies

@Suite("Keys that no other feature uses")
struct UnaffectedKeysTests {
  @Test(
    "a read or an override costs the same, whatever is aliased, set or recorded elsewhere"
  )
  func costs() async {
    // In a process of its own, because the features change its global store.
    await #expect(processExitsWith: .success) {
      let scopes = Scopes()
      let before = scopes.costs
      precondition(
        before.lookups == ["current default", "override", "current default", "another's default"])
      for use in Self.features {
        use()
        precondition(scopes.costs == before)
        // A scope that is created later.
        precondition(Scopes().costs == before)
      }
    }
  }

  private struct CapturingEnvironment: ScopeCapturing {
    let scope = DependencyScope.current
  }

  private enum MadeFromB: SharedKey {
    static func make() -> Int { DependencyScope.current.b }
  }

  private enum MadeFromUnaffected: SharedKey {
    static func make() -> Int { DependencyScope.current.unaffected }
  }

  private static var features: [() -> Void] {
    let members = ManyKeys.first(200)
    func alias(_ number: Int) {
      DependencyScope.root.alias(
        \.[member: members[number]], to: \.[member: members[number + 100]], fileID: #fileID,
        line: #line)
    }
    return [
      { alias(0) },
      { for number in 1..<100 { alias(number) } },
      { DependencyScope.root.setGlobally(\.b, 1) },
      { for member in members { DependencyScope.root.setGlobally(\.[member: member], 1) } },
      { DependencyScope.isolated().run { Dependencies.startRecording() } },
      { _ = OtherEnvironment.requirements() },
    ]
  }

  private struct OtherEnvironment: DependencyEnvironment {
    @Dependency(\.b) var b
  }

  /// Scopes in which the key is read.
  private struct Scopes {
    private let overriding = DependencyScope.root.with(\.unaffected, 10)
    private let other = DependencyScope.root.with(\.c, 10)

    struct Costs: Equatable {
      let lookups: [String]
      let allocations: [Allocations]
      let retains: [Int]
    }

    var costs: Costs {
      Costs(
        lookups: [lookup, overriding.run { lookup }, other.run { lookup }, other.lookUp()],
        allocations: [
          Allocations.fewest { _ = overriding.with(\.unaffected, 20) },
          Allocations.fewest { _ = overriding.unaffected },
          Allocations.fewest { _ = other.unaffected },
        ],
        retains: [
          retains { _ = overriding.unaffected },
          retains { _ = other.unaffected },
          other.run { retains { _ = DependencyScope.current.unaffected } },
        ])
    }

    private var lookup: String { DependencyScope.current.lookUp() }

    private func retains(_ operation: () -> Void) -> Int {
      (0..<10).map { _ in Retains.count(in: operation) }.min()!
    }
  }
}

extension DependencyScope {
  fileprivate func lookUp() -> String {
    switch Dependencies(node: node).lookUp(ObjectIdentifier(UnaffectedKey.self)) {
    case .override: "override"
    case .defaultOfCurrentScope: "current default"
    case .defaultOfAnotherScope: "another's default"
    case .throughStore: "through the store"
    }
  }
}

private enum UnaffectedKey: DependencyKey {
  static var defaultValue: Int { 1 }
}

extension Dependencies {
  fileprivate var unaffected: Int {
    get { self[UnaffectedKey.self] }
    set { self[UnaffectedKey.self] = newValue }
  }
}
