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
        $0.fireAndForget = .live
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

  @Test("in a test too, it isn't cancelled with the caller", .isolatedDependencies)
  func cancelledCaller() async {
    let isCancelled = Shared<Bool?>(nil)
    await withTaskGroup { group in
      group.addTask {
        await DependencyScope.current.fireAndForget {
          isCancelled.update { $0 = Task.isCancelled }
        }
      }
      group.cancelAll()
    }
    #expect(isCancelled.value == false)
  }

  @Test("work of an effect has ended when the store has settled", .isolatedDependencies)
  func settles() async {
    let isDone = Mutex(false)
    let store = TestStore(
      initialState: 0,
      reducer: Reducer<Int, Bool, Void> { _, _, _ in
        .run { _ in
          await DependencyScope.current.fireAndForget {
            for _ in 0..<10 { await Task.yield() }
            isDone.withLock { $0 = true }
          }
        }
      }, environment: ())
    await store.send(true)
    #expect(isDone.withLock { $0 })
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
