import TestSupport
import Testing

@testable import ComposableDependencies
@testable import ComposableTesting
@testable import TestClocks

@Suite("Reports of a call of `withTestDependencies`")
struct CallReportsTests {
  @Test("are the same if its operation is synchronous")
  func synchronous() async {
    let failures = await failures {
      withTestDependencies(reporting: [.defaults, .unusedOverrides]) {
        $0.a = 10
        $0.b = 20
      } operation: {
        _ = DependencyScope.current.b
        _ = DependencyScope.current.c
      }
    }
    #expect(failures.count == 2, "\(failures)")
    #expect(failures.first?.message.contains("CKey") == true, "\(failures)")
    #expect(failures.first?.message.contains("but the test doesn't set it") == true)
    #expect(
      failures.last?.message.contains("overrides `AKey`, but nothing reads it") == true,
      "\(failures)")
  }

  @Test("no longer cost anything after the call", .isolatedDependencies)
  func ended() async {
    let store = DependencyScope.current.node.store
    #expect(!store.options.contains(.observingReads))
    for _ in 0..<2 {
      withTestDependencies(reporting: .defaults) {
        #expect(store.options.contains(.observingReads))
      }
      #expect(!store.options.contains(.observingReads))
      await withTestDependencies(reporting: .defaults) {
        await Task.yield()
        #expect(store.options.contains(.observingReads))
      }
      #expect(!store.options.contains(.observingReads))
    }
  }
}
