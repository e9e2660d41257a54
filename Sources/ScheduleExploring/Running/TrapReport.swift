#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Android)
  internal import Android
#endif
internal import ComposableDependencies
internal import Synchronization
internal import TestRuntime

/// Prints the schedule in which a test traps, before the process stops.
enum TrapReport {
  static func install() { _ = isInstalled }

  private static let isInstalled: Void = {
    #if !os(Windows)
      for (index, number) in signals.enumerated() {
        // Sound: the handler reads what was there before only after it has been stored.
        unsafe sigaction(number, nil, &previous[index])
        _ = signal(number, handler)
      }
    #endif
  }()

  #if !os(Windows)
    /// The signals of Swift's traps.
    #if arch(x86_64) || arch(i386)
      private static let signals = [SIGILL]
    #else
      private static let signals = [SIGILL, SIGTRAP]
    #endif
    // Sound: written once, before the handlers that read it are installed.
    nonisolated(unsafe) private static var previous = [sigaction(), sigaction()]

    /// Prints, and then lets the signal do what it would have done without this handler.
    ///
    /// It allocates, which a handler may not do while its thread allocates. But Swift code traps, and the
    /// allocator isn't Swift code.
    private static let handler: @convention(c) (Int32) -> Void = { signal in
      if let text = RunningExecutors.shared.current?.order.textOfTrap { printToStandardError(text) }
      guard let index = signals.firstIndex(of: signal) else { return }
      // Sound: both arrays have a place for each signal.
      unsafe sigaction(signal, &previous[index], nil)
      // Not only the instruction that traps again: `raise` and `kill` send signals, too. So a crash
      // report has the number of this process in place of the address; its frames are right.
      raise(signal)
    }
  #endif
}

extension JobOrder {
  /// Describes the running schedule; `nil` if there is none, or if its state is being changed.
  fileprivate var textOfTrap: String? {
    guard isExplored, let switches = switchesIfAvailable else { return nil }
    let token = ScheduleToken(Schedule(switches: switches, seed: usedSeed))
    return """

      A schedule of the test at \(place) has just trapped.
        Replay it: the token is "\(token.text)".

      """
  }
}
