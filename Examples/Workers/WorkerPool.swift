import ComposableEnvironment
import DependencyCarriers
import Foundation

/// Shares files among workers.
struct WorkerPool: ComposableEnvironment {
  let scope = DependencyScope.current
  @Dependency(\.launchWorker) var launchWorker

  /// Returns the answer for each file, apart from those of a worker that ended early.
  func count(_ files: [String], processes: Int = 2) async throws -> [String: String] {
    try await withThrowingTaskGroup(of: [String: String].self) { group in
      for first in 0..<min(processes, files.count) {
        group.addTask {
          // The scope goes along with the environment, into this task and to the new process.
          let worker = try scope.run { try launchWorker() }
          var counts: [String: String] = [:]
          for index in stride(from: first, to: files.count, by: processes) {
            counts[files[index]] = await worker.ask(request(for: files[index]))
          }
          await worker.end()
          return counts
        }
      }
      return try await group.reduce(into: [:]) { $0.merge($1) { first, _ in first } }
    }
  }

  private func request(for file: String) -> String {
    var baggage = Baggage()
    scope.inject(DeadlineKey.self, into: &baggage)
    // Encoded, because a path may contain a line break, which would end the request.
    let path = file.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed)!
    return "\(baggage.header() ?? "")\t\(path)"
  }
}
