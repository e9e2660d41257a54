internal import Testing

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Android)
  internal import Android
#endif

/// Fails the running test of XCTest, if there is one.
///
/// It looks up XCTest in the process, so that tests that don't use it needn't link it.
func failXCTest(_ message: String, at location: Testing.SourceLocation) {
  #if canImport(Darwin) || canImport(Glibc) || canImport(Musl) || canImport(Android)
    typealias XCTFail = @convention(thin) (String, StaticString, UInt) -> Void
    let name = "$s6XCTest7XCTFail_4file4lineySS_s12StaticStringVSutF"
    guard let symbol = unsafe dlsym(dlopen(nil, RTLD_LAZY), name) else { return }
    // Sound: the mangled name of the symbol includes the function's type.
    let fail = unsafe unsafeBitCast(symbol, to: XCTFail.self)
    fail(message, StaticString(keeping: location.filePath), UInt(location.line))
  #endif
}

extension StaticString {
  /// Creates a copy of a string that is never freed.
  fileprivate init(keeping string: String) {
    let bytes = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: string.utf8.count)
    _ = unsafe bytes.initialize(from: string.utf8)
    let isASCII: UInt8 = string.utf8.allSatisfy { $0 < 0x80 } ? 2 : 0
    // Sound: these are the fields of the type, which is frozen: start, count and flags.
    self = unsafe unsafeBitCast(
      (UInt(bitPattern: bytes.baseAddress), UInt(bytes.count), isASCII), to: StaticString.self)
  }
}
