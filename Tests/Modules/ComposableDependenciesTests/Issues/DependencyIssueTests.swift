import ComposableDependencies
import TestSupport
import Testing

@Suite("DependencyIssue")
struct DependencyIssueTests {
  @Test("an issue describes its place, its problem and its remedy")
  func description() {
    let issue = DependencyIssue(
      problem: "It is wrong.", remedy: "the right thing.", fileID: "App/Main.swift", line: 7)
    #expect(issue.description == "App/Main.swift:7: It is wrong.\n  Instead: the right thing.")
  }

  @Test("the handler receives an issue in the task that made the mistake")
  func handler() {
    let issue = DependencyIssue(problem: "p", remedy: "r", fileID: "f", line: 1)
    #expect(issues { issue.report() } == [issue])
  }

  #if DEBUG
    @Test("without a handler, a debug build prints each issue once, and fails the tests that run")
    func printedOnce() async throws {
      var result: ExitTest.Result?
      let failures = await failures {
        result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
          let issue = DependencyIssue(problem: "p", remedy: "r", fileID: "f", line: 1)
          let other = DependencyIssue(problem: "p", remedy: "r", fileID: "f", line: 2)
          for issue in [issue, issue, other, issue, other] { issue.report() }
        }
      }
      #expect(failures.count == 5)
      let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
      let lines = text.split(separator: "\n").filter { $0.hasPrefix("Dependency issue:") }
      #expect(lines == ["Dependency issue: f:1: p", "Dependency issue: f:2: p"])
    }
  #endif

  @Test("a handler may cause an issue itself, which doesn't reach it")
  func misusingHandler() async {
    let failures = await failures {
      await #expect(processExitsWith: .success) {
        let handled = Shared<[String]>([])
        DependencyIssue.replaceHandler { issue in
          handled.update { $0.append(issue.problem) }
          DependencyIssue(problem: "nested", remedy: "r", fileID: "f", line: 1).report()
        }
        for problem in ["first", "second"] {
          DependencyIssue(problem: problem, remedy: "r", fileID: "f", line: 2).report()
        }
        precondition(handled.value == ["first", "second"])
      }
    }
    #expect(failures.count == 2 && failures.allSatisfy { $0.message.contains("nested") })
  }

  @Test("threads can report issues while another one replaces the handler")
  func onThreads() async {
    // In a process of its own, because other tests share the handler of this one.
    await #expect(processExitsWith: .success) {
      DependencyIssue.replaceHandler { _ in }
      onTwoThreads(rounds: 200) { round, isFirst in
        for number in 0..<50 {
          if isFirst, round % 2 == 0 {
            // With something captured, which is freed when the next one replaces it.
            let text = "the handler of round \(round), number \(number)"
            DependencyIssue.replaceHandler { _ in precondition(text.hasPrefix("the handler")) }
          } else {
            DependencyIssue(problem: "p", remedy: "r", fileID: "f", line: UInt(round)).report()
          }
        }
      }
    }
  }

  @Test("threads can report issues where there is no handler")
  func withoutHandler() async {
    let failures = await failures {
      await #expect(processExitsWith: .success) {
        onTwoThreads(rounds: 200) { round, isFirst in
          DependencyIssue(
            problem: isFirst ? "p" : "q", remedy: "r", fileID: "f", line: UInt(round)
          ).report()
        }
      }
    }
    #expect(failures.count == 400)
  }
}
