import Testing

@testable import request_scopes

@Suite("The program")
struct RequestScopesTests {
  @Test("what it prints of seventy requests is a table without a wrong read of a scope")
  func seventyRequests() async {
    let transcript = await run(["--requests", "70"])
    #expect(transcript.status == .success)
    #expect(transcript.standardError == [])
    let lines = transcript.standardOutput.joined().split(separator: "\n")
    #expect(lines[0] == "70 requests, 10 of them cancelled midway")
    let titles = lines[2].split(separator: " ")
    #expect(titles == ["BOUNDARY", "READS", "OTHER", "NONE", "OTHER", "NONE"])
    #expect(lines.dropFirst(3).count == Boundary.allCases.count)
    for (line, boundary) in zip(lines.dropFirst(3), Boundary.allCases) {
      #expect(line.hasPrefix(boundary.rawValue))
      #expect(line.split(separator: " ").suffix(2) == ["0", "0"])
    }
  }

  @Test("each request logs with a logger of its own")
  func loggers() async {
    let log = await run(["--requests", "8", "--concurrency", "3"]).log
    let answered = [1, 2, 3, 4, 5, 6, 8].flatMap { id in
      ["attempt 1 took too long", "answered"].map { "tenant \(id % 5), request \(id): \($0)" }
    }
    #expect(log.sorted() == (answered + ["tenant 2, request 7: cancelled"]).sorted())
  }

  @Test(
    "wrong arguments are explained",
    arguments: [
      (["--request", "1"], "unknown option --request"),
      (["1"], "unexpected argument 1"),
      (["--requests"], "--requests needs a number from 1 to 1000000000"),
      (["--concurrency", "0"], "--concurrency needs a number from 1 to 1000000000"),
      (["--seconds", "one"], "--seconds needs a number from 1 to 1000000000"),
    ])
  func wrongArguments(arguments: [String], message: String) async {
    let transcript = await run(arguments)
    #expect(transcript.status == .cannotStart)
    #expect(transcript.standardOutput == [])
    #expect(transcript.standardError == ["request-scopes: \(message)\n\n\(Options.usage)"])
  }

  @Test("help is printed")
  func help() async {
    let transcript = await run(["--requests", "1", "--help"])
    #expect(transcript.status == .success)
    #expect(transcript.standardOutput == [Options.usage])
    #expect(transcript.standardError == [])
  }
}
