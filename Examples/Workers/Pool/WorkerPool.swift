import ComposableEnvironment
import DependencyCarriers
import Foundation
import LinkChecking
import StandardDependencies

/// Distributes files to workers until all are checked.
struct WorkerPool: ComposableEnvironment {
  struct Lost: LocalizedError {
    var errorDescription: String? { "\(WorkerPool.mostAttempts) workers crashed while checking it" }
  }

  static let mostAttempts = 8

  let scope = DependencyScope.current
  @Dependency(\.continuousClock) var clock
  @Dependency(\.launcher) var launcher
  @Dependency(\.output) var output
  @Dependency(\.processes) var processes
  @Dependency(\.rootFolder) var rootFolder
  @Dependency(\.seed) var seed
  @Dependency(\.tenant) var tenant
  @DerivedEnvironment<LinkChecker> var linkChecker

  /// Returns the broken links of a file, or of all files below a folder, exactly as one process
  /// would.
  ///
  /// - Throws: An error if a worker can't be started.
  func check(_ start: Path) async throws -> Report {
    var report = Report()
    report.elapsed = try await clock.measure {
      let files = linkChecker.files(in: start, &report)
      try await check(files, &report)
    }
    output.endProgress()
    return report
  }

  private func check(_ files: [Path], _ report: inout Report) async throws {
    // Shuffle, because large files are often neighbors.
    let randomNumbers = SharedRandomNumberGenerator.seeded(seed)
    let queue = WorkQueue(randomNumbers { files.shuffled(using: &$0) })
    try await withThrowingTaskGroup(of: [FileReport?].self) { group in
      for _ in 0..<min(processes, files.count) {
        group.addTask { try await work(on: queue) }
      }
      for try await reports in group {
        for file in reports { report.add(file) }
        progressed(report.files, of: files.count)
      }
    }
    if !queue.isEmpty { report.isInterrupted = true }
  }

  private func progressed(_ count: Int, of all: Int) {
    output.progress("\(tenant.map { "\($0): " } ?? "")\(count)/\(all)")
  }

  /// Gives files to a worker, and to a new one whenever a worker ends.
  private func work(on queue: WorkQueue) async throws -> [FileReport?] {
    var reports: [FileReport?] = []
    var worker: WorkerConnection?
    while !Task.isCancelled, let item = queue.next() {
      let connection = try worker ?? scope.run { try launcher.launch() }
      worker = connection
      if let reply = await ask(connection, item) {
        reports.append(reply.report)
        continue
      }
      await connection.end(true)
      worker = nil
      if Task.isCancelled || item.attempts + 1 < Self.mostAttempts {
        var item = item
        item.attempts += 1
        queue.giveBack(item)
      } else {
        reports.append(FileReport(broken: [.unreadable(item.file, Lost())]))
      }
    }
    await worker?.end(Task.isCancelled)
    return reports
  }

  /// Sends a file, along with the values that travel.
  ///
  /// - Returns: The answer; `nil` if the worker ended, or answered something else.
  private func ask(_ worker: WorkerConnection, _ item: WorkQueue.Item) async -> Reply? {
    var baggage = Baggage()
    scope.inject(DeadlineKey.self, SeedKey.self, CrashPercentKey.self, into: &baggage)
    let number = UInt64(item.index * Self.mostAttempts + item.attempts)
    let request = Request(
      number: number, file: item.file, root: rootFolder, baggage: baggage.header())
    guard
      let answer = await worker.ask(encoded(request)),
      let reply = decoded(Reply.self, from: answer),
      reply.number == number
    else { return nil }
    return reply
  }
}
