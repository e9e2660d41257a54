import Synchronization
import TestSupport
import Testing

@testable import ComposableTesting
@testable import TestRuntime

/// Has its own keys, because tests that run concurrently lose their scopes, too.
@Suite("Lost reads", .serialized, .isolatedDependencies)
struct LostReadsTests {
  @Test("a default that a detached task reads fails the test, with the key and a remedy")
  func detachedTask() async {
    await expectFailure {
      await reportingLostReads {
        await Task.detached {
          readHere()
        }.value
      }
    } matching: { issue in
      let text = issue.comments.map(\.rawValue).joined()
      return issue.sourceLocation == Test.current?.sourceLocation && text.contains("LostKey")
        && text.contains("Task.detached(in: .current)")
        && text.contains("outside any scope")
    }
  }

  @Test("an environment created outside any scope fails the test that reads it, once per read")
  func capturedInNoScope() async {
    let reader = await Task.detached { Reader() }.value
    // A test that has asked before no longer listens.
    LostReads.end(LostReads.begin { _ in false })
    await reportingLostReads {
      let failures = await failures { _ = reader.twice }
      #expect(failures.count == 1, "\(failures)")
      #expect(failures.first?.message.contains("LostKey") == true)
    }
  }

  @Test("several traits of one test report a lost read once, and name that test only")
  func severalTraits() async {
    let failures = await failures {
      await reportingLostReads {
        await reportingLostReads {
          await Task.detached {
            for _ in 0..<3 { readHere() }
          }.value
        }
      }
    }
    #expect(failures.count == 1)
    #expect(failures.first?.message.contains("One of these tests") == false)
  }

  @Test("a read that was reported at once isn't reported again at the end")
  func reportedAtOnce() async {
    let reader = await Task.detached { Reader() }.value
    let failures = await failures {
      await reportingLostReads {
        _ = reader.lost
        await Task.detached { _ = reader.lost }.value
      }
    }
    #expect(failures.count == 1, "\(failures)")
  }

  @Test("a test reports lost reads after another test has ended")
  func otherTestEnds() async {
    let reader = await Task.detached { Reader() }.value
    let other = LostReads.begin(in: nil) { _ in false }
    await reportingLostReads {
      LostReads.end(other)
      let failures = await failures { _ = reader.lost }
      #expect(failures.count == 1, "\(failures)")
    }
  }

  @Test("a read that may be of several tests is reported once, and again while later tests run")
  func mayBeOfSeveral() async {
    // In a process of its own, because other tests of this one listen, too.
    await #expect(processExitsWith: .success) {
      let (reader, messages) = (Reader(), Shared<[String]>([]))
      let scope = DependencyScope.isolated().with {
        $0.testContext = TestContext(test: nil) { message, _ in
          messages.update { $0.append(message) }
          return true
        }
      }
      for round in 1...2 {
        let listeners = (0..<2).map { _ in LostReads.begin(in: nil) }
        scope.run { for _ in 0..<3 { _ = reader.lost } }
        for listener in listeners { LostReads.end(listener) }
        let count = messages.value.count { $0.contains("One of these tests lost its scope") }
        precondition(count == round && messages.value.count == round)
      }
    }
  }

  @Test("`withTestDependencies` reports lost reads while its operation runs")
  func operation() async {
    let reader = await Task.detached { Reader() }.value
    func isListening() async -> Bool { await lostReads { _ = reader.lost } == 1 }
    let synchronous = await lostReads {
      withTestDependencies(reporting: .lostReads) { _ = reader.lost }
    }
    #expect(synchronous == 1)
    #expect(await !isListening())
    var isReported = false
    _ = await lostReads {
      await withTestDependencies(reporting: .lostReads) { isReported = await isListening() }
    }
    #expect(isReported)
    #expect(await !isListening())
    await withTestDependencies(reporting: .unusedOverrides) { #expect(await !isListening()) }
  }

  @Test("an object outside any scope is reported once for each key, also if the test overrides it")
  func onlyOnce() async {
    let reader = await Task.detached { Reader() }.value
    let failures = await failures {
      withTestDependencies(reporting: .all) {
        $0.lost = 2
      } operation: {
        for _ in 0..<3 { _ = reader.lost }
      }
    }.filter { $0.message.contains("LostKey") }
    #expect(failures.count == 1, "\(failures)")
  }

  @Test("a read that another thread has noted at the same moment is reported")
  func onTwoThreads() async {
    let reader = await Task.detached { Reader() }.value
    let failures = await failures {
      for _ in 0..<20 {
        await reportingLostReads {
          let arrivals = Atomic(0)
          let read = { @Sendable in
            arrivals.add(1, ordering: .relaxed)
            while arrivals.load(ordering: .relaxed) < 2 {}
            _ = reader.lost
          }
          let other = Task.detached { read() }
          read()
          await other.value
        }
      }
    }
    // While other tests listen, too, the other thread's read may be of any of these.
    let own = failures.filter { $0.message.contains("LostKey") }.map(\.message)
    #expect(own.count { !$0.contains("One of these tests lost its scope") } == 20)
  }

  @Test("tests begin and end to listen on two threads")
  func listenersOnThreads() async {
    let listener = LostReads.begin(in: nil) { _ in false }
    race(
      [
        {
          let listener = LostReads.begin(in: nil) { _ in false }
          LostReads.end(listener)
        },
        // Outside any scope, but nobody asks for it.
        { readHere() },
      ], times: 100)
    LostReads.end(listener)
    let failures = await collectFailures {
      let listener = LostReads.begin { $0 == LostKey.self }
      race([{ readHere() }], times: 2)
      LostReads.end(listener)
    }
    // The read is reported once.
    #expect(failures.count == 1)
  }

  @Test("the trait enables the report")
  func trait() async throws {
    let reader = await Task.detached { Reader() }.value
    let (test, testCase) = try (#require(Test.current), #require(Test.Case.current))
    let trait = DependenciesTrait.dependencies(reporting: .lostReads)
    // What other tests read meanwhile is reported when the trait's scope ends.
    let reads = await lostReads {
      await #expect(throws: Never.self) {
        try await trait.provideScope(for: test, testCase: testCase) { _ = reader.lost }
      }
    }
    #expect(reads == 1)
  }
}

/// The failures over this file's key: those of other tests that lose their scopes may be reported, too.
private func lostReads(_ operation: () async -> Void) async -> Int {
  await failures { await operation() }.count { $0.message.contains("LostKey") }
}

/// Reports lost reads of this file's key.
private func reportingLostReads(_ operation: () async -> Void) async {
  let listener = LostReads.begin { $0 == LostKey.self }
  await operation()
  LostReads.end(listener)
}

private func readHere() {
  _ = DependencyScope.current.lost
}

private struct Reader: Sendable {
  @Dependency(\.lost) var lost
  var twice: Int { lost * 2 }
}

private enum LostKey: DependencyKey {
  static let defaultValue = 1
}

extension Dependencies {
  fileprivate var lost: Int {
    get { self[LostKey.self] }
    set { self[LostKey.self] = newValue }
  }
}
