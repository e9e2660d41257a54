import Foundation
import Testing

// Where the tests of a package are a program that can be run again, with a choice of tests.
#if os(Linux)
  @Suite("Failures of tests, seen from outside", .timeLimit(.minutes(2)))
  struct FailuresTests {
    private static let file = #filePath.replacing("FailuresTests.swift", with: "FailingTests.swift")

    private struct Output {
      var status: Int32
      var lines: [String]
    }

    /// Runs tests that fail in a process of their own.
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
      let data = try pipe.fileHandleForReading.readToEnd() ?? Data()
      process.waitUntilExit()
      let text = String(decoding: data, as: UTF8.self)
      return Output(
        status: process.terminationStatus, lines: text.split(separator: "\n").map(String.init))
    }

    @Test("under XCTest they arrive there, each once, at the place that they name")
    func xctest() throws {
      let output = try run("ComposableTestingTests.FailingTestCase")
      #expect(output.status == 1)
      let failures = output.lines.filter { $0.contains("error: ") }
      try #require(failures.count == 3)
      let place = "\(Self.file):\(FailingLine.unimplemented): error: FailingTestCase"
      #expect(failures[0].hasPrefix("\(place).testAsync : failed - `apiClient.fetch` is used"))
      #expect(failures[1].hasPrefix("App/Main.swift:7: error: FailingTestCase.testMisuse : failed"))
      #expect(failures[2].hasPrefix("\(place).testUnimplemented : failed - `apiClient.fetch`"))
      #expect(output.lines.contains { $0.contains("Executed 4 tests, with 3 failures") })
    }

    @Test("under Swift Testing they arrive there, and tell whose they are where a task does not")
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
            "In the scope of the test “a call in a detached task that is in the test's scope”.")
        })
      #expect(output.lines.count { $0.contains("cannot be told which of the running tests") } == 2)
    }
  }
#endif
