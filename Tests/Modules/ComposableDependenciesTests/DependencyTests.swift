import ComposableDependencies
import Dispatch
import TestSupport
import Testing

@Suite("@Dependency")
struct DependencyTests {
  private struct Reader: Sendable {
    @Dependency(\.a) var a
    @Dependency(\.double) var double
    @Dependency(\.sum) var sum
  }

  @Test("rule 7: a dependency reads the scope it captured")
  func capturedWins() async {
    let reader = DependencyScope.root.with(\.a, 10).run { Reader() }
    await withDependencies {
      $0.a = 99
      $0.b = 99
    } operation: {
      #expect((reader.a, reader.sum) == (10, 12))
      #expect(await Task { reader.a }.value == 10)
      #expect(await Task.detached { reader.double }.value == 20)
      let fromQueue = await withCheckedContinuation { continuation in
        DispatchQueue.global().async { continuation.resume(returning: reader.a) }
      }
      #expect(fromQueue == 10)
    }
  }
}
