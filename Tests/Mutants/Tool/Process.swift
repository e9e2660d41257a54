import Foundation

/// How a program ended.
enum Ending: Equatable {
  case success
  case failure
  case stopped(line: String)
  case timeout
}

/// Runs a program, and stops it at a line of its output or after a time.
struct Program {
  let arguments: [String]
  var environment: [String: String] = [:]

  func run(
    limit seconds: Double, log: URL, stoppingAt isWanted: (String) -> Bool = { _ in false }
  ) throws -> (ending: Ending, seconds: Double) {
    try Data().write(to: log)
    let start = Date()
    let process = try spawn(log)
    let input = try FileHandle(forReadingFrom: log)
    defer { try? input.close() }
    var rest = Data()
    while true {
      var status: Int32 = 0
      let hasEnded = waitpid(process, &status, WNOHANG) == process
      rest += input.availableData
      while let end = rest.firstIndex(of: 10) {
        let line = String(decoding: rest[rest.startIndex..<end], as: UTF8.self)
        rest = Data(rest[(end + 1)...])
        if isWanted(line) {
          stop(process, hasEnded)
          return (.stopped(line: line), -start.timeIntervalSinceNow)
        }
      }
      if hasEnded {
        stop(process, hasEnded)
        return (status == 0 ? .success : .failure, -start.timeIntervalSinceNow)
      }
      if -start.timeIntervalSinceNow > seconds {
        stop(process, hasEnded)
        return (.timeout, -start.timeIntervalSinceNow)
      }
      usleep(20_000)
    }
  }

  /// Starts it in a session of its own, so that the processes that it starts can be ended with it.
  private func spawn(_ log: URL) throws -> pid_t {
    #if canImport(Darwin)
      let newSession = Int16(POSIX_SPAWN_SETSID)
      var files: posix_spawn_file_actions_t?
      var attributes: posix_spawnattr_t?
    #else
      let newSession: Int16 = 0x80  // `POSIX_SPAWN_SETSID`, which Swift doesn't import
      var files = posix_spawn_file_actions_t()
      var attributes = posix_spawnattr_t()
    #endif
    posix_spawn_file_actions_init(&files)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&files)
      posix_spawnattr_destroy(&attributes)
    }
    posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&files, 1, log.path, O_WRONLY | O_APPEND, 0)
    posix_spawn_file_actions_adddup2(&files, 1, 2)
    posix_spawnattr_setflags(&attributes, newSession)
    let all = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    var words = arguments.map { strdup($0) } + [nil]
    var variables = all.map { strdup("\($0)=\($1)") } + [nil]
    defer { for word in words + variables { free(word) } }
    var process: pid_t = 0
    let error = posix_spawnp(&process, arguments[0], &files, &attributes, &words, &variables)
    guard error == 0 else { throw Failure("\(arguments[0]) doesn't start: error \(error)") }
    return process
  }

  private func stop(_ process: pid_t, _ hasEnded: Bool) {
    kill(-process, SIGKILL)
    // Those that have a group of their own, on Linux.
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    for other in names.compactMap({ pid_t($0) }) where getsid(other) == process {
      kill(other, SIGKILL)
    }
    var status: Int32 = 0
    if !hasEnded { waitpid(process, &status, 0) }
  }
}
