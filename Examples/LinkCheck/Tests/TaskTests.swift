import ComposableEnvironment
import Synchronization
import TestSupport
import Testing

@testable import linkcheck

@Suite("Many files concurrently")
struct TaskTests {
  /// A number of files in separate folders that all link to the first.
  private func texts(_ count: Int) -> [Path: String] {
    Dictionary(
      uniqueKeysWithValues: (0..<count).map { index in
        (Path("/\(index)/a.md"), "[a](a.md) [b](../0/a.md#a) [c](\(index).md)\n# A")
      })
  }

  @Test("no more files are open than the bound allows", arguments: [1, 3, 8])
  func bound(maxOpenFiles: Int) async {
    let open = Mutex((count: 0, maximum: 0))
    let gate = Gate()
    let files = InMemoryFiles(texts(20)) { _ in
      open.withLock { $0 = ($0.count + 1, max($0.maximum, $0.count + 1)) }
      await gate.wait()
      open.withLock { $0.count -= 1 }
    }
    async let result = run("--max-open-files", "\(maxOpenFiles)", in: files)
    await gate.waitForArrivals(maxOpenFiles)
    gate.open()
    let recorder = await result.recorder
    #expect(open.withLock { $0.maximum } == maxOpenFiles)
    #expect(recorder.standardOutput.hasSuffix("20 files, 60 links checked, 20 broken (0.00 s)\n"))
  }

  @Test("the report does not depend on the bound")
  func order() async {
    let files = InMemoryFiles(texts(30))
    let sequential = await run("--max-open-files", "1", in: files).recorder.standardOutput
    for bound in ["2", "7", "50"] {
      #expect(await run("--max-open-files", bound, in: files).recorder.standardOutput == sequential)
    }
  }

  @Test("each file is checked in its own scope")
  func scopes() async {
    let (recorder, gate) = (Recorder(), Gate())
    // All files are open concurrently, so every scope is active when the first link is looked up.
    let files = InMemoryFiles(texts(4)) { _ in
      let count = 4
      async let all: Void = gate.waitForArrivals(count)
      async let passed: Void = gate.wait()
      await all
      gate.open()
      await passed
    }
    _ = await run("--max-open-files", "4", in: files, recorder: recorder)
    for index in 0..<4 {
      #expect(recorder.standardOutput.contains("\(index)/a.md:1   \(index).md  no such file\n"))
    }
    #expect(recorder.standardOutput.hasSuffix("\n4 files, 12 links checked, 4 broken (0.00 s)\n"))
  }

  @Test("overrides of an environment apply in the tasks that it creates")
  func environment() async {
    let checker = LinkChecker()
      .with(\.fileSystem, InMemoryFiles(texts(5)).fileSystem)
      .with(\.maxOpenFiles, 2)
    let report = await checker.check("/")
    #expect(report.files == 5)
    #expect(report.broken.count == 5)
  }

  @Test("a cancelled check finishes the files that it has begun, and reports them")
  func cancellation() async {
    let gate = Gate()
    let files = InMemoryFiles(texts(9)) { file in
      if file >= "/2" { await gate.wait() }
    }
    let recorder = Recorder()
    let task = Task {
      await run("--max-open-files", "2", in: files, recorder: recorder).status
    }
    await gate.waitForArrivals(2)
    task.cancel()
    gate.open()
    #expect(await task.value == .interrupted)
    #expect(
      recorder.standardOutput == """
        FILE:LINE  LINK  PROBLEM
        0/a.md:1   0.md  no such file
        1/a.md:1   1.md  no such file
        2/a.md:1   2.md  no such file
        3/a.md:1   3.md  no such file

        4 files, 12 links checked, 4 broken (0.00 s), interrupted

        """)
  }

  @Test("a file whose reading is cancelled is not counted, nor a problem")
  func cancelledReading() async {
    let gate = Gate()
    let files = InMemoryFiles(texts(3)) { file in
      await gate.wait()
      try Task.checkCancellation()
    }
    let recorder = Recorder()
    let task = Task { await run(in: files, recorder: recorder).status }
    await gate.waitForArrivals(1)
    task.cancel()
    gate.open()
    #expect(await task.value == .interrupted)
    #expect(
      recorder.standardOutput == "0 files, 0 links checked, 0 broken (0.00 s), interrupted\n")
  }
}
