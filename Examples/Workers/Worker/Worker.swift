import ComposableEnvironment
import DependencyCarriers
import Foundation
import LinkChecking
import StandardDependencies

/// Checks files in its own process: it reads one request per line, and writes one answer per line.
struct Worker: ComposableEnvironment {
  let scope = DependencyScope.current
  @Dependency(\.logsFiles) var logsFiles
  @Dependency(\.output) var output
  @Dependency(\.tenant) var tenant

  /// Answers the lines of standard input until it ends.
  static func run() async {
    let worker = starting(in: ProcessInfo.processInfo.environment)
    while let line = readLine() {
      guard let answer = await worker.answer(line) else {
        kill(getpid(), SIGKILL)
        return
      }
      // The parent no longer reads, which the end of the input would also show.
      guard (try? worker.output.print(answer)) != nil else { return }
    }
  }

  /// Creates a worker in the current scope, with the values from its process's environment.
  static func starting(in environment: [String: String]) -> Worker {
    DependencyScope.current
      .extracting(TenantKey.self, LogsFilesKey.self, fromEnvironment: environment)
      .with {
        $0.anchorIndex = AnchorIndex()
        $0.bundleIndex = BundleIndex()
      }
      .run { Worker() }
  }

  /// Returns the answer to a request as a line; `nil` to end the worker instead.
  func answer(_ line: String) async -> String? {
    guard let request = decoded(Request.self, from: line) else { return nil }
    return
      await scope
      .extracting(
        DeadlineKey.self, SeedKey.self, CrashPercentKey.self, from: Baggage(request.baggage)
      )
      .with {
        $0.rootFolder = request.root
        $0.baseFolder = request.file.folder
      }
      .run { await answer(request) }
  }

  private func answer(_ request: Request) async -> String? {
    let scope = DependencyScope.current
    var reply = Reply(number: request.number, report: nil)
    if scope.deadline?.hasPassed != true {
      reply.report = await FileChecker().check(request.file)
      if logsFiles {
        output.printError("\(tenant ?? "nobody"): \(getpid()) checked \(request.file.string)")
      }
    }
    let randomNumbers = SharedRandomNumberGenerator.seeded(scope.seed &+ request.number)
    let crashes = randomNumbers { Int.random(in: 0..<100, using: &$0) } < scope.crashPercent
    return crashes ? nil : encoded(reply)
  }
}
