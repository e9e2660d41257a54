import DependencyDebugging
import Environments
import ComposableDependencies
import TestSupport
import Testing

private enum NumberKey: DependencyKey {
  static var defaultValue: Int { 0 }
}

@Suite("Overrides that can end")
struct OwnedOverridesTests {
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
