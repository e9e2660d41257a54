import ComposableTesting
import TestSupport
import Testing

@Suite("Isolation of tests", .isolatedDependencies)
struct IsolationTests {
  @Test("tests that set values globally run in parallel with themselves", arguments: 0..<100)
  func globals(_ number: Int) async {
    #expect(DependencyScope.current.a == 1)
    DependencyScope.current.setGlobally(\.a, number)
    await Task {
      #expect(DependencyScope.current.a == number)
    }.value
    Settings().with(\.b, number)
    #expect(Settings().b == number)
    Dependencies.resetGlobalValues()
    #expect(DependencyScope.current.a == 1)
    #expect(Settings().b == 2)
  }

  @Test("tests that declare aliases run in parallel with themselves", arguments: 0..<100)
  func aliases(_ number: Int) async {
    #expect(DependencyScope.current.a == 1)
    Settings().aliasing(\.a, to: number.isMultiple(of: 2) ? \.b : \.c)
    let expected = number.isMultiple(of: 2) ? 2 : 3
    await withTaskGroup { group in
      group.addTask { #expect(DependencyScope.current.a == expected) }
    }
    Dependencies.clearGlobalAliases()
    #expect(DependencyScope.current.a == 1)
  }

  private struct Settings: GlobalEnvironment {}

  @Test(
    "each case calls the closure of the trait itself",
    .dependencies { $0.counter = Counter() }, arguments: 0..<100)
  func ownValues(_ number: Int) {
    #expect(DependencyScope.current.counter.next() == 1)
  }
}
