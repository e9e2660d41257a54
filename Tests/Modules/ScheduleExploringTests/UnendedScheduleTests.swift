import TestSupport
import Testing

@testable import ScheduleExploring
@testable import TestClocks

@Suite("A schedule that doesn't end")
struct UnendedScheduleTests {
  @Test("is reported, and then awaited")
  func unended() async throws {
    let (gate, started, ended) = (Gate(), Shared(0), Shared(0))
    let messages = Shared<[String]>([])
    let trait: IssueHandlingTrait = .compactMapIssues { issue in
      let message = issue.comments.map(\.rawValue).joined()
      messages.update { $0.append(message) }
      if message.contains("don't end although they are cancelled") { gate.open() }
      return nil
    }
    let test = try #require(Test.current)
    try await trait.provideScope(for: test, testCase: Test.Case.current) {
      _ = try? await explore(schedules: 2, timeout: .milliseconds(10)) {
        started.update { $0 += 1 }
        await gate.wait()
        ended.update { $0 += 1 }
      }
    }
    #expect(messages.value.count == 2, "\(messages.value)")
    #expect(messages.value.first?.contains("in schedule 1 of 2") == true, "\(messages.value)")
    #expect(started.value > 0 && ended.value == started.value)
  }
}
