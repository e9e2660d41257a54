import Testing

@testable import request_scopes

@Suite("The program")
struct RequestScopesTests {
  @Test("the table of seventy requests has no wrong read of a scope")
  func seventyRequests() async {
    let transcript = await run(["--requests", "70"])
    #expect(transcript.status == .success)
    #expect(transcript.standardError == [])
    let lines = transcript.standardOutput.joined().split(separator: "\n")
    #expect(lines[0] == "70 requests, 10 of them cancelled midway")
    let titles = lines[2].split(separator: " ")
    #expect(titles == ["BOUNDARY", "READS", "OTHER", "NONE", "OTHER", "NONE"])
    let ledger = lines.dropFirst(3 + Boundary.allCases.count)
    #expect(
      ledger.map { $0.split(separator: " ").joined(separator: " ") } == [
        "RESOURCE OPENED CLOSED", "pool 1 1", "cache 1 1", "connection 14 14", "session 14 14",
        "transaction 70 70", "60 committed, 10 rolled back, nothing left open",
      ])
    for (line, boundary) in zip(lines.dropFirst(3), Boundary.allCases) {
      #expect(line.hasPrefix(boundary.rawValue))
      #expect(line.split(separator: " ").suffix(2) == ["0", "0"])
    }
  }

  @Test("each request has its own logger")
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
      (["--leak", "money"], "--leak needs one of connection, transaction, cache"),
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
