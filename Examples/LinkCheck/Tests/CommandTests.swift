import ComposableEnvironment
import Synchronization
import Testing

@testable import linkcheck
import StandardDependencies

@Suite("The program")
struct CommandTests {
  @Test("links between files are followed, from the folder of each")
  func folders() async {
    let files = InMemoryFiles([
      "/README.md": "[a](docs/a.md) [b](docs) [c](docs/) [d](Sources/A.swift)",
      "/docs/a.md": "[a](../README.md) [b](a.md) [c](/docs/a.md) [d](docs/a.md) [e](/a.md)",
      "/Sources/A.swift": "/// [a](../docs/a.md) [b](../docs/b.md)",
      "/picture.png": "[a](b)",
    ])
    let (status, recorder) = await run("/", in: files)
    #expect(status == .brokenLinks)
    #expect(
      recorder.standardOutput == """
        FILE:LINE          LINK          PROBLEM
        Sources/A.swift:1  ../docs/b.md  no such file
        docs/a.md:1        /a.md         no such file
        docs/a.md:1        docs/a.md     no such file

        3 files, 11 links checked, 3 broken (0.00 s)

        """)
    #expect(recorder.standardError == "")
  }

  @Test("a link to a heading of another file is followed, and one without a definition is broken")
  func anchors() async {
    let files = InMemoryFiles([
      "/a.md": "# One\n[a](#one) [b](#two) [c](b.md#two) [d](b.md#one) [e](c.txt#x) [f](#) [g][h]",
      "/b.md": "# Two",
      "/c.txt": "",
    ])
    let (status, recorder) = await run(in: files)
    #expect(status == .brokenLinks)
    #expect(
      recorder.standardOutput == """
        FILE:LINE  LINK      PROBLEM
        a.md:2     #two      no heading for #two in a.md
        a.md:2     [g][h]    no definition of [h]
        a.md:2     b.md#one  no heading for #one in b.md

        2 files, 7 links checked, 3 broken (0.00 s)

        """)
  }

  @Test("absolute links start from the folder that is checked")
  func root() async {
    let files = InMemoryFiles(["/p/a.md": "[a](/q/b.md#b)", "/p/q/b.md": "# B"])
    #expect(await run("p", in: files).status == .success)
    #expect(await run("/", in: files).status == .brokenLinks)
    #expect(await run("p/q/b.md", in: files).recorder.standardOutput.hasPrefix("1 file, 0 links"))
  }

  @Test("without a path the working folder is checked")
  func workingFolder() async {
    let files = InMemoryFiles(["/a.md": "", "/p/a.md": "", "/p/q/r/b.md": ""])
    let recorder = Recorder()
    _ = await withDependencies {
      $0.fileSystem = files.fileSystem
      $0.output = recorder.output
      $0.baseFolder = "/p"
    } operation: {
      await Command.run([])
    }
    #expect(recorder.standardOutput.hasPrefix("2 files"))
  }

  @Test("hidden files and folders are not checked, but may be linked to")
  func hidden() async {
    let files = InMemoryFiles(["/a.md": "[a](.b/c.md)", "/.b/c.md": "[d](e)", "/.f.md": "[g](h)"])
    let (status, recorder) = await run(in: files)
    #expect(status == .success)
    #expect(recorder.standardOutput == "1 file, 1 link checked, 0 broken (0.00 s)\n")
  }

  @Test("an unreadable file is a problem")
  func unreadable() async {
    let files = InMemoryFiles(
      ["/a.md": "[b](b.md) [c](b.md#c)", "/b.md": "", "/d/e.md": ""], unreadable: ["/b.md", "/d"])
    let (status, recorder) = await run(in: files)
    #expect(status == .brokenLinks)
    for file in ["a.md:1     b.md#c", "b.md:1           ", "d:1              "] {
      #expect(recorder.standardOutput.contains("\n\(file)  cannot be read: "))
    }
    #expect(recorder.standardOutput.hasSuffix("\n2 files, 2 links checked, 3 broken (0.00 s)\n"))
  }

  @Test("wrong arguments are explained")
  func wrongArguments() async {
    let files = InMemoryFiles(["/a.md": ""])
    for (arguments, message) in [
      (["--colour"], "unknown option --colour"),
      (["a", "b"], "more than one path"),
      (["--max-open-files"], "--max-open-files needs a number from 1"),
      (["--max-open-files", "0"], "--max-open-files needs a number from 1"),
      (["nothing/here"], "there is no file or folder /nothing/here"),
    ] {
      let recorder = Recorder()
      let status = await withDependencies {
        $0.fileSystem = files.fileSystem
        $0.output = recorder.output
        $0.baseFolder = "/"
      } operation: {
        await Command.run(arguments)
      }
      #expect(status == .cannotStart)
      #expect(recorder.standardError.hasPrefix("linkcheck: \(message)\n"))
      #expect(recorder.standardOutput == "")
    }
  }

  @Test("a report that can't be written is a failure", arguments: [[], ["--help"]])
  func cannotWrite(arguments: [String]) async {
    struct Full: Error {}
    let recorder = Recorder()
    let status = await withDependencies {
      $0.fileSystem = InMemoryFiles(["/a.md": "[a](b)"]).fileSystem
      $0.baseFolder = "/"
      $0.output = recorder.output
      $0.output.print = { _ in throw Full() }
    } operation: {
      await Command.run(arguments)
    }
    #expect(status == .cannotWrite)
    #expect(recorder.standardError.hasPrefix("linkcheck: cannot write: "))
  }

  @Test("help is printed")
  func help() async {
    let (status, recorder) = await run("a", "--help", in: InMemoryFiles([:]))
    #expect(status == .success)
    #expect(recorder.standardOutput == Command.usage + "\n")
  }

  @Test("the time is measured with the clock")
  func clock() async {
    final class SlowClock: Clock {
      let start = ContinuousClock.now
      let reads = Atomic(0)
      var now: ContinuousClock.Instant {
        start.advanced(by: .milliseconds(1500) * reads.add(1, ordering: .relaxed).newValue)
      }
      var minimumResolution: Duration { .zero }
      func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {}
    }
    let report = await withDependencies {
      $0.fileSystem = InMemoryFiles([:]).fileSystem
      $0.continuousClock = SlowClock()
    } operation: {
      await LinkChecker().check("/")
    }
    #expect(report.elapsed == .milliseconds(1500))
  }
}
