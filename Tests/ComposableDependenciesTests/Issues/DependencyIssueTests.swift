import ComposableDependencies
import TestSupport
import Testing

@Suite("DependencyIssue")
struct DependencyIssueTests {
  @Test("an issue says where, what and what to write instead")
  func description() {
    let issue = DependencyIssue(
      problem: "It is wrong.", remedy: "the right thing.", fileID: "App/Main.swift", line: 7)
    #expect(issue.description == "App/Main.swift:7: It is wrong.\n  Instead: the right thing.")
  }

  @Test("an issue is handed to the handler, in the task that made the mistake")
  func handler() {
    let issue = DependencyIssue(problem: "p", remedy: "r", fileID: "f", line: 1)
    #expect(issues { issue.report() } == [issue])
  }

  @Test("reporting an issue leaves no memory behind")
  func memory() {
    let issue = DependencyIssue(problem: "p", remedy: "r", fileID: "f", line: 1)
    _ = issues { issue.report() }
    #expect(Allocations { for _ in 1...100 { _ = issues { issue.report() } } }.remaining == 0)
  }
}
