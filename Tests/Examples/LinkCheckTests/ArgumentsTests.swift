import Testing

@testable import LinkChecking

@Suite("Arguments")
struct ArgumentsTests {
  @Test("a value follows an equal sign, or is the next argument")
  func values() throws {
    for arguments in [["--max-open-files=3", "a"], ["--max-open-files", "3", "a"]] {
      let options = try Options(arguments)
      #expect(options.maxOpenFiles == 3)
      #expect(options.path == "a")
    }
    #expect(try Options(["--max-open-files=3", "--json"]).printsJSON)
  }

  @Test("an argument after two hyphens is a path")
  func paths() throws {
    #expect(try Options(["--json", "--", "--json"]).path == "--json")
    #expect(try Options(["--", "--"]).path == "--")
    #expect(try Options(["-"]).path == "-")
    #expect(try Options(["a=b"]).path == "a=b")
    #expect(try Options(["--"]).path == nil)
  }

  @Test(
    "a missing or unexpected value is a mistake",
    arguments: [
      (["--json=yes"], "--json takes no value"),
      (["--json="], "--json takes no value"),
      (["--help=", "a"], "--help takes no value"),
      (["--max-open-files="], "--max-open-files needs a number from 1"),
      (["--max-open-files=0"], "--max-open-files needs a number from 1"),
      (["--max-open-files", "--"], "--max-open-files needs a number from 1"),
      (["--=3"], "unknown option --"),
      (["--", "a", "b"], "more than one path"),
    ])
  func mistakes(arguments: [String], message: String) {
    let failure = #expect(throws: Options.Failure.self) { try Options(arguments) }
    #expect(failure?.message.hasPrefix(message + "\n") == true)
  }
}
