import ComposableEnvironment
import Foundation
import StandardDependencies

/// The memory of the process, in KiB, early in a period and at its end.
struct MemoryUse: CustomStringConvertible {
  let early: Int
  let late: Int

  /// A leak grows with each request; an allocator's reserves vary only by a few MiB.
  var isFlat: Bool { late <= early + early / 4 + 8192 }

  var description: String {
    let growth = isFlat ? "flat" : "growing"
    return "memory \(growth): \(early) KiB after a quarter of the time, \(late) KiB at the end"
  }

  /// Measures until the end of the period; returns `nil` if the memory in use is unknown.
  static func measure(over period: Duration) async -> MemoryUse? {
    let clock = DependencyScope.current.continuousClock
    try? await clock.sleep(for: period / 4)
    let early = inUse
    try? await clock.sleep(for: period * 3 / 4)
    guard let early, let late = inUse else { return nil }
    return MemoryUse(early: early, late: late)
  }

  private static var inUse: Int? {
    let statistics = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
    let pages = statistics?.split(separator: " ").dropFirst().first.flatMap { Int($0) }
    return pages.map { $0 * Int(sysconf(Int32(_SC_PAGESIZE))) / 1024 }
  }
}
