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

package func printToStandardError(_ text: String) {
  var text = text
  // Sound: the bytes are valid in the closure, and the call copies them.
  text.withUTF8 { bytes in
    #if canImport(ucrt)
      _ = unsafe _write(2, bytes.baseAddress, UInt32(bytes.count))
    #else
      _ = unsafe write(2, bytes.baseAddress, bytes.count)
    #endif
  }
}
