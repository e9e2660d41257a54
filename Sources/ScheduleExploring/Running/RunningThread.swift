#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Android)
  internal import Android
#elseif os(Windows)
  internal import WinSDK
#endif

/// Identifies a thread among those that exist at the same time.
struct RunningThread: Equatable, Sendable {
  private let id: UInt

  static var current: RunningThread {
    #if os(Windows)
      RunningThread(id: UInt(GetCurrentThreadId()))
    #elseif canImport(Darwin)
      RunningThread(id: unsafe UInt(bitPattern: pthread_self()))
    #else
      RunningThread(id: UInt(pthread_self()))
    #endif
  }
}
