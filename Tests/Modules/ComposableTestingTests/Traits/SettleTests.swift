import ComposableTesting
import Observation
import TestSupport
import Testing

/// A model whose download starts tasks of its own.
@MainActor
@Observable
private final class Download {
  @ObservationIgnored @Dependency(\.continuousClock) var clock
  private(set) var progress: [Int] = []
  private(set) var isFinished = false

  func start() {
    let (parts, continuation) = AsyncStream.makeStream(of: Int.self)
    Task.detached(in: .current) {
      for part in 1...3 {
        await Task.yield()
        continuation.yield(part)
      }
      continuation.finish()
    }
    Task {
      for await part in parts { progress.append(part) }
      try await clock.sleep(for: .seconds(1))
      isFinished = true
    }
  }
}

@MainActor
private func watchDownload() async {
  let clock = TestClock()
  let download = withDependencies {
    $0.continuousClock = clock
  } operation: {
    Download()
  }
  download.start()
  #expect(download.progress == [])
  await settle()
  #expect(download.progress == [1, 2, 3] && !download.isFinished)
  await clock.advance(by: .seconds(1))
  #expect(download.isFinished)
}

@Suite("settle() waits until nothing of the test can run", .needsWholeSight)
struct SettleTests {
  @Test("on the main actor", .isolatedDependencies, arguments: 0..<20)
  @MainActor func mainActor(round: Int) async { await watchDownload() }

  @Test("on any thread", .isolatedDependencies, arguments: 0..<20)
  func anyThread(round: Int) async { await watchDownload() }

  @Test("in each schedule", .exploring(schedules: 100))
  func exploring() async { await watchDownload() }

  @Test("in the scope of a call")
  func call() async {
    await withTestDependencies {
      let count = Shared(0)
      for _ in 0..<3 {
        Task {
          for _ in 0..<10 { await Task.yield() }
          count.update { $0 += 1 }
        }
      }
      await settle()
      #expect(count.value == 3)
    }
  }

  @Test("in a call that begins on the main actor")
  func callThatBeginsOnMainActor() async {
    await withTestDependencies { await watchDownload() }
  }

  @Test("and fails a test without a trait")
  func noTrait() async {
    var line = 0
    let failures = await failures {
      line = #line + 1
      await settle()
    }
    expectOne(
      failures, atLine: line, containing: "runs outside the order of a test",
      "`@Test(.isolatedDependencies)`")
  }

  @Test("and fails code that has left the order of its test", .isolatedDependencies)
  func outsideTheOrder() async {
    let failures = await failures { await QueueActor().run { _ in await settle() } }
    #expect(failures.count == 1, "\(failures)")
    #expect(failures.first?.message.contains("runs outside the order of a test") == true)
  }

  @Test("in a call on the main actor")
  @MainActor func callOnMainActor() async {
    await withTestDependencies { await watchDownload() }
  }
}
