import ComposableTesting
import StandardDependencies
import Synchronization
import TestSupport
import Testing

@Suite("Work that nobody waits for")
struct FireAndForgetTests {
  @Test("it goes on after the call, in the caller's scope, and isn't cancelled with the caller")
  func live() async {
    let gate = Gate()
    let results = AsyncStream.makeStream(of: String.self)
    let caller = Task {
      await withDependencies {
        $0.name = "caller"
      } operation: {
        await DependencyScope.current.fireAndForget(name: "work") {
          await gate.wait()
          let name = DependencyScope.current.name
          results.continuation.yield("\(name) \(Task.name ?? "") \(Task.isCancelled)")
          results.continuation.finish()
        }
      }
    }
    await caller.value
    caller.cancel()
    gate.open()
    var all: [String] = []
    for await result in results.stream { all.append(result) }
    #expect(all == ["caller work false"])
  }

  @Test("in a scope made for a test, it has ended when the call returns", .isolatedDependencies)
  func awaited() async {
    let names = Mutex<[String]>([])
    await withDependencies {
      $0.name = "caller"
    } operation: {
      await DependencyScope.current.fireAndForget {
        await Task.yield()
        names.withLock { $0.append(DependencyScope.current.name) }
      }
    }
    #expect(names.withLock { $0 } == ["caller"])
  }

  @Test("an error that it throws is reported where it was started")
  func errors() async {
    struct Failure: Error {}
    let issues = await issues {
      await FireAndForget.awaited(line: 7) { throw Failure() }
    }
    #expect(issues.map(\.line) == [7])
    #expect(issues.first?.problem.contains("threw Failure()") == true)
  }
}
