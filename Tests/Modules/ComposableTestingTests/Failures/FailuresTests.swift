import TestSupport
import Foundation
import TestRuntime
import Testing

// On platforms on which a package's tests are a program that can run a selection of tests.
#if os(Linux)
  @Suite("Failures of tests, seen from outside", .timeLimit(.minutes(10)))
  struct FailuresTests {
    private struct Output {
      var status: Int32
      var lines: [String]
    }

    /// Runs failing tests in a separate process.
    private func run(_ arguments: String...) throws -> Output {
      let process = Process()
      let pipe = Pipe()
      process.executableURL = URL(
        filePath: try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
      process.arguments = arguments
      process.environment = ProcessInfo.processInfo.environment.merging(
        ["RUN_FAILING_TESTS": "1"]) { $1 }
      process.standardOutput = pipe
      process.standardError = pipe
      try process.run()
      // If the run hangs, this test fails instead of hanging, too.
      DispatchQueue.global().asyncAfter(deadline: .now() + 100) {
        if process.isRunning { process.terminate() }
      }
      let data = try pipe.fileHandleForReading.readToEnd() ?? Data()
      process.waitUntilExit()
      let text = String(decoding: data, as: UTF8.self)
      return Output(
        status: process.terminationStatus, lines: text.split(separator: "\n").map(String.init))
    }

    @Test("under XCTest, each failure is recorded once, at its place")
    func xctest() throws {
      let output = try run("ComposableTestingTests.FailingTestCase")
      #expect(output.status == 1)
      let failures = output.lines.filter { $0.contains("error: ") }
      let unimplemented =
        "FailingTests.swift:\(FailingLine.unimplemented): `apiClient.fetch` was used"
      let expected = [
        ("testAsync", unimplemented), ("testExploredSchedules", unimplemented),
        ("testExploredSchedules", ""), ("testMisuse", "App/Main.swift:7: "),
        ("testMisuseAfterAScope", "App/Main.swift:7: "),
        ("testMisuseAfterAnAsynchronousScope", "App/Main.swift:7: "),
        ("testMisuseByADetachedTask", ""), ("testMisuseByAThread", ""),
        ("testMisuseByAnEffectOfAStore", "An effect threw an error that it doesn't catch"),
        ("testOverrideAfterCreation", "The override of \\.a (AKey) reaches nothing."),
        ("testReplayedSchedule", unimplemented),
        ("testReplayedSchedule", "The replayed schedule fails."),
        ("testUnfinishedTask", "The test ends before these tasks:"),
        ("testUnimplemented", unimplemented),
      ]
      try #require(failures.count == expected.count, "\(failures)")
      for (failure, (test, message)) in zip(failures, expected) {
        #expect(failure.contains("FailingTestCase.\(test) : failed - "))
        #expect(message.isEmpty || failure.contains(message))
        #expect(failure.components(separatedBy: "Main.swift:7").count <= 2, "its place, once")
      }
      #expect(output.lines.contains { $0.contains("Executed 14 tests, with 14 failures") })
      let warning = "warning: The test skips changes to the state after true"
      #expect(
        output.lines.count {
          $0.hasPrefix("ComposableTestingTests/FailingTests.swift:") && $0.contains(warning)
        }
          == 1)
    }

    @Test("under Swift Testing, each failure is recorded, and names its test if its task has none")
    func swiftTesting() throws {
      let output = try run(
        "--testing-library", "swift-testing", "--filter", "ComposableTestingTests.FailingTests")
      #expect(output.status == 1)
      let issues = output.lines.filter { $0.contains("recorded an issue at") }
      #expect(
        issues.filter { $0.contains("at FailingTests.swift:\(FailingLine.unimplemented)") }.count
          == 2)
      #expect(
        issues.filter { $0.contains("Test \"a misuse\" recorded an issue at Main.swift:7") }.count
          == 1)
      #expect(issues.count == 4)
      #expect(
        output.lines.contains {
          $0.contains(
            "This task is in the scope of the test “a call in a detached task that is in the test's scope”."
          )
        })
      #expect(output.lines.count { $0.contains("may belong to any running test") } == 2)
    }

    @Test("without a scope, a misuse fails its test, and a lost read any test")
    func withoutScope() throws {
      let output = try run(
        "--testing-library", "swift-testing", "--filter", "TestsWithoutScope")
      #expect(output.status == 1)
      let issues = output.lines.filter { $0.contains("recorded an issue at") }
      #expect(issues.count == 3, "\(output.lines)")
      #expect(
        issues.contains { $0.contains("Test \"a misuse without a store\" recorded an issue") })
      #expect(
        issues.contains {
          $0.contains("Test \"an effect that throws\" recorded an issue at FailingTests.swift")
        })
      let tests = "a test without a name, “a lost read while two tests listen”."
      #expect(
        output.lines.contains { $0.contains("One of these tests lost its scope: \(tests)") },
        "\(output.lines)")
      #expect(output.lines.contains { $0.contains("An effect threw an error") })
    }

    @Test("rule 41: off a test's task, a misuse fails the run, even if no test has a scope")
    func offTheTask() throws {
      let output = try run("--testing-library", "swift-testing", "--filter", "TestsOffTheirTasks")
      #expect(output.status == 1)
      // Swift Testing shows an issue without a test once for each test's configuration.
      let issues = output.lines.count { $0.contains("recorded an issue at Main.swift:7") }
      #expect(issues >= 4, "\(output.lines)")
    }

    @Test(
      "a test that fails in the plain order attaches what ran when, and one that passes nothing")
    func plainOrders() throws {
      let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      _ = try run(
        "--testing-library", "swift-testing", "--filter", "FailingOrders", "--attachments-path",
        folder.path)
      let files = try FileManager.default.contentsOfDirectory(
        at: folder, includingPropertiesForKeys: nil)
      #expect(files.count { $0.pathExtension == "mmd" } == 2)
      let tables: [[Substring]] = try files.filter { $0.pathExtension == "txt" }.map { file in
        try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map { $0.dropFirst(7) }
      }
      let steps = ["1  test starts", "2  task 1 starts, from test"] as [Substring]
      #expect(tables.count == 2 && tables.allSatisfy { $0.starts(with: steps) }, "\(tables)")
    }

    @Test("a misuse fails a schedule even if no test has another scope; one without is summed up")
    func schedules() throws {
      let output = try run("--testing-library", "swift-testing", "--filter", "FailingSchedules")
      #expect(output.status == 1)
      let issue = "Test \"a misuse in a schedule\" recorded an issue at Main.swift:7"
      #expect(output.lines.count { $0.contains(issue) } == 1, "\(output.lines)")
      let all = RuntimeSight.ofProcess.isWhole ? "all " : ""
      let summary = "Explored “two tasks in every order”: \(all)4 orders of its tasks' steps"
      #expect(output.lines.contains { $0.hasPrefix(summary) }, "\(output.lines)")
    }
  }
#endif
