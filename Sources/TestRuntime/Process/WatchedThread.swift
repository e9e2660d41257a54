#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Android)
  internal import Android
#endif

/// A thread that others ask whether it runs.
struct WatchedThread: Sendable {
  /// What a thread has done so far.
  struct Sample: Sendable, Equatable {
    /// The processor time that it has used.
    let time: Duration
    /// Whether it sleeps in the kernel, as where it waits for a lock.
    let isAsleep: Bool
  }

  #if os(Linux) || os(Android)
    private let clock: clockid_t

    /// The running thread.
    static var current: WatchedThread {
      var clock = clockid_t()
      // Sound: the memory is valid, and the thread runs this code.
      unsafe pthread_getcpuclockid(pthread_self(), &clock)
      return WatchedThread(clock: clock)
    }

    /// Asks what the thread does; `nil` if it has ended.
    func sample() -> Sample? {
      var time = timespec()
      // Sound: the memory is valid.
      guard unsafe clock_gettime(clock, &time) == 0, let state = Self.state(of: id) else {
        return nil
      }
      return Sample(
        time: .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec), isAsleep: state == "S")
    }

    /// Whether the running thread is the main actor's.
    static var isMain: Bool { current.id == getpid() }

    /// The number of the thread, after which the kernel numbers its clock.
    private var id: Int32 { ~(clock >> 3) }

    /// Whether another thread of the process than the running one runs, or waits for a processor.
    static var othersRun: Bool {
      let own = current.id
      // Sound: what is read lives until the directory is closed.
      guard let directory = unsafe opendir("/proc/self/task") else { return true }
      defer { unsafe closedir(directory) }
      while let entry = unsafe readdir(directory) {
        let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) {
          unsafe $0.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
        }
        if let id = Int32(name), id != own, state(of: id) == "R" { return true }
      }
      return false
    }

    private static func state(of thread: Int32) -> Character? {
      // Sound: each call gets valid memory, and as many bytes as that has.
      let file = unsafe open("/proc/self/task/\(thread)/stat", O_RDONLY | O_CLOEXEC)
      guard file >= 0 else { return nil }
      defer { close(file) }
      let text = unsafe [UInt8](unsafeUninitializedCapacity: 256) { buffer, count in
        count = unsafe max(0, read(file, buffer.baseAddress, 256))
      }
      // The state comes after the name, which is in parentheses.
      guard let name = text.lastIndex(of: UInt8(ascii: ")")), name + 2 < text.count else {
        return nil
      }
      return Character(Unicode.Scalar(text[name + 2]))
    }
  #else
    static var current: WatchedThread { WatchedThread() }

    /// Whether the running thread is the main actor's, as far as that is known.
    static var isMain: Bool {
      #if canImport(Darwin)
        pthread_main_np() != 0
      #else
        false
      #endif
    }

    func sample() -> Sample? { nil }

    static var othersRun: Bool { true }
  #endif
}
