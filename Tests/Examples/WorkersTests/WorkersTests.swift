import ComposableDependencies
import ComposableTesting
import DependencyCarriers
import Foundation
import LinkChecking
import Synchronization
import TestSupport
import Testing

@testable import workers

@Suite("Work with several workers")
struct WorkersTests {
  @Test("the result equals linkcheck's, byte for byte", arguments: [1, 2, 5, 64])
  func sameResult(processes: Int) async {
    let workshop = Workshop(texts(30))
    let status = await workshop.run("--json", "--processes", "\(processes)")
    #expect(status == .brokenLinks)
    #expect(workshop.written(to: .standardOutput) == (await workshop.expected("--json")))
    // Fewer, if a worker checks a second file before another one is launched.
    #expect((1...min(processes, 30)).contains(workshop.launches))
    #expect(workshop.ended == workshop.launches)
    #expect(workshop.lines.count == 30)
  }

  @Test("a worker that ends midway loses nothing", arguments: [1, 3])
  func deadWorkers(processes: Int) async {
    let workshop = Workshop(texts(30)) { worker, line in
      worker.isMultiple(of: 2) || line.contains("/7/") && worker < 6 ? .dies : .answers
    }
    _ = await workshop.run("--json", "--processes", "\(processes)")
    #expect(workshop.written(to: .standardOutput) == (await workshop.expected("--json")))
    #expect(workshop.launches > processes && workshop.ended == workshop.launches)
  }

  @Test("a worker that answers something else is replaced")
  func babblingWorkers() async {
    let workshop = Workshop(texts(9)) { worker, _ in worker < 3 ? .babbles : .answers }
    _ = await workshop.run("--json")
    #expect(workshop.written(to: .standardOutput) == (await workshop.expected("--json")))
  }

  @Test("a file that crashes every worker is reported as a problem")
  func poison() async {
    let workshop = Workshop(texts(5)) { _, line in line.contains("/3/") ? .dies : .answers }
    let status = await workshop.run("--json")
    #expect(status == .brokenLinks)
    let output = workshop.written(to: .standardOutput)
    #expect(output.contains(#""file":"3/a.md","line":1,"link":"","problem":"cannot be read: 8 "#))
    #expect(output.contains(#""files":5,"interrupted":false"#))
  }

  @Test("random numbers come from the carried seed", arguments: [1, 7])
  func crashes(seed: Int) async {
    var lines: [[String]] = []
    for _ in 0..<2 {
      let workshop = Workshop(texts(20))
      _ = await workshop.run(
        "--json", "--processes", "1", "--crashes", "40", "--seed", "\(seed)")
      #expect(workshop.written(to: .standardOutput) == (await workshop.expected("--json")))
      #expect(workshop.launches > 4)
      lines.append(workshop.lines)
    }
    #expect(lines[0] == lines[1])
    let other = Workshop(texts(20))
    _ = await other.run("--json", "--processes", "1", "--crashes", "40", "--seed", "2")
    #expect(other.lines != lines[0])
  }

  @Test("the tenant is carried to each worker, and appears in its log")
  func tenant() async {
    let workshop = Workshop(texts(3))
    _ = await workshop.run("--tenant", "Acme, Köln", "--log")
    let log = workshop.written(to: .standardError)
    #expect(log.split(separator: "\n").count { $0.hasPrefix("Acme, Köln: ") } == 3)
    let quiet = Workshop(texts(3))
    _ = await quiet.run("--tenant", "Acme")
    #expect(quiet.written(to: .standardError) == "")
  }

  @Test("at the deadline, work is cancelled and partial results are reported")
  func deadline() async {
    let workshop = Workshop(texts(9)) { _, line in line.contains("/8/") ? .hangs : .answers }
    let status = await workshop.run("--json", "--deadline", "60", clock: ImmediateClock())
    #expect(status == .interrupted)
    #expect(workshop.written(to: .standardOutput).contains(#""interrupted":true"#))
    #expect(workshop.ended == workshop.launches)
  }

  @Test("a cancelled program reports partial results")
  func cancelled() async {
    let workshop = Workshop(texts(9)) { _, _ in .hangs }
    let task = Task { await workshop.run("--json") }
    task.cancel()
    #expect(await task.value == .interrupted)
    #expect(workshop.ended == workshop.launches)
  }

  @Test("if no worker starts, nothing is reported")
  func cannotLaunch() async {
    struct Refused: Error {}
    let workshop = Workshop(texts(2))
    let status = await withDependencies {
      workshop.use(&$0)
      $0.launcher = Launcher { throw Refused() }
    } operation: {
      await WorkersCommand.run([])
    }
    #expect(status == .cannotStart)
    #expect(workshop.written(to: .standardOutput) == "")
    #expect(workshop.written(to: .standardError) == "workers: Refused()\n")
  }

  @Test("an empty folder needs no worker")
  func empty() async {
    let workshop = Workshop(["/a.txt": ""])
    #expect(await workshop.run("--json") == .success)
    #expect(workshop.launches == 0)
  }
}

@Suite("A worker")
struct WorkerTests {
  private func answer(_ baggage: String?) async -> Reply? {
    let workshop = Workshop(texts(1))
    let worker = DependencyScope.root.with { workshop.use(&$0) }.run { Worker.starting(in: [:]) }
    let request = Request(number: 5, file: "/0/a.md", root: "/", baggage: baggage)
    return await worker.answer(encoded(request)).flatMap { decoded(Reply.self, from: $0) }
  }

  @Test("a file isn't checked after the deadline")
  func deadline() async {
    #expect(await answer(nil)?.report?.broken.count == 2)
    #expect(await answer("deadline=60000")?.report?.links == 4)
    let late = await answer("deadline=0")
    #expect(late?.number == 5 && late?.report == nil)
  }

  @Test("received values are validated")
  func hostile() async {
    #expect(await answer("crash-percent=100") == nil)
    let issues = await issues {
      #expect(await answer("crash-percent=all,seed=-1,deadline=soon,tenant=x")?.report != nil)
    }
    #expect(issues.count == 3)
  }

  @Test("an invalid request ends the worker")
  func garbage() async {
    let worker = Worker.starting(in: [:])
    for line in ["", "{}", "[1", #"{"number":-1}"#] { #expect(await worker.answer(line) == nil) }
  }
}

@Suite("The arguments of workers")
struct WorkersOptionsTests {
  @Test("wrong arguments are explained")
  func wrongArguments() async {
    for (arguments, message) in [
      (["--colour"], "unknown option --colour"),
      (["a", "b"], "more than one path"),
      (["--processes", "0"], "--processes needs a number from 1 to 64"),
      (["--deadline", "soon"], "--deadline needs a number of seconds"),
      (["--deadline", "nan"], "--deadline needs a number of seconds"),
      (["--seed"], "--seed needs a number from 0"),
      (["--crashes", "101"], "--crashes needs a number from 0 to 100"),
      (["/nothing"], "there is no file or folder /nothing"),
    ] {
      let workshop = Workshop(["/a.md": ""])
      let status = await withDependencies {
        workshop.use(&$0)
      } operation: {
        await WorkersCommand.run(arguments)
      }
      #expect(status == .cannotStart)
      #expect(workshop.written(to: .standardError).hasPrefix("workers: \(message)\n"))
    }
  }

  @Test("help is printed")
  func help() async {
    let workshop = Workshop([:])
    #expect(await workshop.run("--help") == .success)
    #expect(workshop.written(to: .standardOutput) == WorkersOptions.usage + "\n")
  }

  @Test("lines are assembled from arriving bytes")
  func lines() {
    var buffer = LineBuffer()
    #expect(buffer.add(Data("a\nb".utf8)) == ["a"])
    #expect(buffer.add(Data()) == [])
    #expect(buffer.add(Data("c\n\nd\n".utf8)) == ["bc", "", "d"])
  }
}
