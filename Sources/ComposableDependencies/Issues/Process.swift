#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Android)
  internal import Android
#elseif canImport(WASILibc)
  internal import WASILibc
#elseif canImport(ucrt)
  internal import WinSDK
  internal import ucrt
#endif

func printToStandardError(_ text: String) {
  var text = text
  text.withUTF8 { bytes in
    #if canImport(ucrt)
      _ = unsafe _write(2, bytes.baseAddress, UInt32(bytes.count))
    #else
      _ = unsafe write(2, bytes.baseAddress, bytes.count)
    #endif
  }
}

/// Identifies a thread among those that exist at the same time.
package struct RunningThread: Hashable, Sendable {
  package let id: UInt

  package static var current: RunningThread {
    #if os(Windows)
      RunningThread(id: UInt(GetCurrentThreadId()))
    #elseif canImport(Darwin)
      RunningThread(id: unsafe UInt(bitPattern: pthread_self()))
    #elseif canImport(WASILibc)
      RunningThread(id: 1)
    #else
      RunningThread(id: UInt(pthread_self()))
    #endif
  }
}
