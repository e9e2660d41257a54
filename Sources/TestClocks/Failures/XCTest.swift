/// Fails the running test of XCTest, if there is one.
///
/// It looks up XCTest in the process, so that tests that don't use it needn't link it.
func failXCTest(_ message: String, file: StaticString, line: UInt) {
  typealias XCTFail = @convention(thin) (String, StaticString, UInt) -> Void
  let name = "$s6XCTest7XCTFail_4file4lineySS_s12StaticStringVSutF"
  guard let symbol = symbolAddress(name) else { return }
  // Sound: the mangled name of the symbol includes the function's type.
  unsafe unsafeBitCast(symbol, to: XCTFail.self)(message, file, line)
}
