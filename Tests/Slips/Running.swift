import Foundation
import Synchronization

/// How the tests of one run ended.
enum Outcome {
  case passed
  /// A test failed, or the process crashed.
  case failed
  /// The tests printed nothing for much longer than without a slip, or didn't end.
  case hung
}

/// Runs a test bundle with a slip, until its first failure.
final class Running: Sendable {
  private let process: Process
  private let hasFailed = Mutex(false)
  /// Since when nothing was printed, and the longest time in which nothing was.
  private let silence = Mutex((since: Date(), longest: 0.0))
  var longestSilence: Double { silence.withLock { $0.longest } }

  init(_ bundle: URL, _ filter: String?, slip: Int) {
    process = Process()
    process.executableURL = bundle
    process.arguments =
      ["--testing-library", "swift-testing"] + (filter.map { ["--filter", $0] } ?? [])
    process.environment = ProcessInfo.processInfo.environment.merging(
      ["SLIP": "\(slip)", "SWIFT_BACKTRACE": "enable=no"]
    ) { $1 }
  }

  /// - Parameters:
  ///   - limit: The longest time in which it may print nothing.
  ///   - end: The longest time that it may take: what doesn't end may print the same again and again.
  func outcome(within limit: Double, endingWithin end: Double) -> Outcome {
    let begin = Date()
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = pipe
    process.standardInput = FileHandle.nullDevice
    let isLate = Mutex(false)
    let limiter = DispatchSource.makeTimerSource()
    limiter.schedule(deadline: .now() + 1, repeating: 1)
    limiter.setEventHandler {
      if self.silence.withLock({ -$0.since.timeIntervalSinceNow }) < limit,
        -begin.timeIntervalSinceNow < end
      {
        return
      }
      isLate.withLock { $0 = true }
      kill(self.process.processIdentifier, SIGKILL)
    }
    do { try process.run() } catch { fail("\(error)") }
    silence.withLock { $0.since = Date() }
    limiter.activate()
    var rest = ""
    while true {
      let data = pipe.fileHandleForReading.availableData
      silence.withLock { silence in
        silence.longest = max(silence.longest, -silence.since.timeIntervalSinceNow)
        silence.since = Date()
      }
      if data.isEmpty { break }
      rest += String(decoding: data, as: UTF8.self)
      // Known issues have another sign.
      if rest.contains(/✘ Test .* recorded an issue|✘ Test .* failed|: error:/) {
        hasFailed.withLock { $0 = true }
        kill(process.processIdentifier, SIGKILL)
        break
      }
      rest = String(rest.suffix(400))
    }
    process.waitUntilExit()
    limiter.cancel()
    if hasFailed.withLock({ $0 }) { return .failed }
    if isLate.withLock({ $0 }) { return .hung }
    return process.terminationStatus == 0 ? .passed : .failed
  }
}

/// Runs a command and returns what it prints.
func run(_ command: [String]) throws -> (status: Int32, text: String) {
  let process = Process()
  process.executableURL = URL(filePath: "/usr/bin/env")
  process.arguments = command
  let pipe = Pipe()
  process.standardOutput = pipe
  process.standardError = pipe
  process.standardInput = FileHandle.nullDevice
  try process.run()
  let data = pipe.fileHandleForReading.readDataToEndOfFile()
  process.waitUntilExit()
  return (process.terminationStatus, String(decoding: data, as: UTF8.self))
}

func fail(_ message: String) -> Never {
  FileHandle.standardError.write(Data("FAILED: \(message)\n".utf8))
  exit(1)
}
