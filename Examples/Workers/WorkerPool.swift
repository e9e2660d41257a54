import ComposableEnvironment
import DependencyCarriers
import Synchronization

/// Gives files to workers until all are counted.
struct WorkerPool: ComposableEnvironment {
  let scope = DependencyScope.current
  @Dependency(\.launchWorker) var launchWorker

  /// Returns the answer for each file; `nil` if two workers ended while they counted it.
  func count(_ files: [String], processes: Int = 2) async throws -> [String: String?] {
    let queue = WorkQueue(files)
    return try await withThrowingTaskGroup(of: [String: String?].self) { group in
      for _ in 0..<min(processes, files.count) {
        group.addTask {
          var counts: [String: String?] = [:]
          var worker: WorkerConnection?
          while let (file, attempts) = queue.next() {
            // The scope goes along with the environment, into this task and to the new process.
            let connection = try worker ?? scope.run { try launchWorker() }
            if let answer = await connection.ask(request(for: file)) {
              counts[file] = answer
              worker = connection
            } else {
              await connection.end()
              worker = nil
              if attempts == 0 {
                queue.giveBack(file)
              } else {
                counts[file] = .some(nil)
              }
            }
          }
          await worker?.end()
          return counts
        }
      }
      return try await group.reduce(into: [:]) { $0.merge($1) { first, _ in first } }
    }
  }

  private func request(for file: String) -> String {
    var baggage = Baggage()
    scope.inject(DeadlineKey.self, into: &baggage)
    return "\(baggage.header() ?? "")\t\(file)"
  }
}

/// The files that no worker has taken yet.
private final class WorkQueue: Sendable {
  private let files: Mutex<[(file: String, attempts: Int)]>

  init(_ files: [String]) { self.files = Mutex(files.map { ($0, 0) }) }

  func next() -> (file: String, attempts: Int)? { files.withLock { $0.popLast() } }

  func giveBack(_ file: String) { files.withLock { $0.append((file, 1)) } }
}
