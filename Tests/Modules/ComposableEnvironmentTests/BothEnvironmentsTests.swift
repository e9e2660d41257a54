import ComposableEnvironment
import GlobalEnvironment
import TestSupport
import Testing

@Suite("Composable and global environments in one file")
struct BothEnvironmentsTests {
  @Test("a derived global environment keeps the properties that its declaration gives it")
  func globalWithProperties() {
    struct Sized: GlobalEnvironment { var size = 1 }
    struct Parent: ComposableEnvironment {
      let scope = DependencyScope.current
      @DerivedEnvironment var sized = Sized(size: 5)
    }
    var parent = Parent().with(\.a, 10)
    #expect(parent.sized.size == 5)
    parent.sized = Sized(size: 6)
    #expect((parent.sized.size, parent.with(\.a, 11).sized.size) == (6, 6))
  }
}
