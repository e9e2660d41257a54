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
func failXCTest(_ message: String, file: StaticString, line: UInt) {
  #if canImport(Darwin) || canImport(Glibc) || canImport(Musl) || canImport(Android)
    typealias XCTFail = @convention(thin) (String, StaticString, UInt) -> Void
    let name = "$s6XCTest7XCTFail_4file4lineySS_s12StaticStringVSutF"
    guard let symbol = unsafe dlsym(dlopen(nil, RTLD_LAZY), name) else { return }
    // Sound: the mangled name of the symbol includes the function's type.
    let fail = unsafe unsafeBitCast(symbol, to: XCTFail.self)
    fail(message, file, line)
  #endif
}
