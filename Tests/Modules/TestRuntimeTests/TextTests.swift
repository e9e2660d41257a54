import Testing

@testable import TestRuntime

@Suite("Texts of messages")
struct TextTests {
  @Test("a long one is cut, and says how much is missing")
  func shortened() {
    #expect("abcde".shortened(to: 5) == "abcde")
    #expect("abcdef".shortened(to: 5) == "abcde… (1 more)")
    #expect("".shortened(to: 0) == "")
  }

  @Test("a number has commas between thousands")
  func grouped() {
    let texts = [
      0: "0", 999: "999", 1_000: "1,000", 123_456: "123,456", 1_234_567: "1,234,567", -999: "-999",
      -1_000: "-1,000",
    ]
    for (number, text) in texts { #expect(number.grouped == text) }
  }
}
