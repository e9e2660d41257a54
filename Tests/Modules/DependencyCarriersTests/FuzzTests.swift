import ComposableDependencies
import StandardDependencies
import TestSupport
import Testing

@testable import DependencyCarriers

/// The number of inputs of all tests together.
#if DEBUG
  private let count = 20_000
#else
  private let count = 1_000_000
#endif

@Suite("Hostile input")
struct FuzzTests {
  @Test("no header traps, and exactly the well-formed members are accepted")
  func headers() throws {
    var mutator = Mutator(seed: 38)
    var (accepted, refused) = (0, 0)
    try inChunks(count * 7 / 10) {
      let bytes = mutator.header()
      let header = String(decoding: bytes, as: UTF8.self)
      let baggage = Baggage(header)
      let members = baggage.received
      accepted += members.count
      let isWithinLimits = header.utf8.count <= 8192 && members.count < 64
      let parts = Array(header.utf8).split(separator: UInt8(ascii: ","))
        .map { ReferenceGrammar.trimmed($0) }
      if isWithinLimits {
        let expected = parts.compactMap(ReferenceGrammar.member)
        refused += parts.count - expected.count
        let isSame = members.elementsEqual(expected) {
          Array($0.key) == $1.key && Array($0.value) == $1.value
        }
        try require(isSame, bytes)
      } else {
        let isWellFormed = members.allSatisfy {
          ReferenceGrammar.member(Array($0.all)) != nil
        }
        try require(isWellFormed && members.count <= 64, bytes)
      }
      try check(baggage, bytes)
    }
    #expect(accepted > count / 2 && refused > count / 8)
  }

  /// Checks that what was accepted is written unchanged, and read again unchanged.
  private func check(_ baggage: Baggage, _ bytes: [UInt8]) throws {
    let scope = DependencyScope.root.extracting(TenantKey.self, PlanKey.self, from: baggage)
    let header = baggage.header()
    try require(header.map { $0.utf8.count <= 8192 } ?? true, bytes)
    let again = Baggage(header)
    let texts = { (baggage: Baggage) in baggage.received.map { Array($0.all) } }
    try require(texts(again) == texts(baggage), bytes)
    let second = DependencyScope.root.extracting(TenantKey.self, PlanKey.self, from: again)
    try require(second.tenant == scope.tenant && second.plan == scope.plan, bytes)
  }

  @Test("no field traps, and every accepted text is the encoding of a value")
  func fields() throws {
    var mutator = Mutator(seed: 39)
    var accepted = 0
    try inChunks(count / 5) {
      let text = String(decoding: mutator.header(), as: UTF8.self)
      let scope = DependencyScope.root.extracting(TenantKey.self) { _ in text }
      guard let tenant = scope.tenant else { return }
      accepted += 1
      var written: String?
      scope.inject(TenantKey.self) { written = $1 }
      let again = DependencyScope.root.extracting(TenantKey.self) { _ in written }
      try require(again.tenant == tenant, text)
      try require(text.utf8.count <= 8192 && text.utf8.allSatisfy { 32...126 ~= $0 }, text)
    }
    #expect(accepted > count / 50)
  }

  @Test("every text that can be sent is received unchanged")
  func texts() throws {
    var mutator = Mutator(seed: 40)
    try inChunks(count / 10) {
      let text = String(decoding: mutator.header().prefix(700), as: UTF8.self)
      let scope = DependencyScope.root.with(\.tenant, text)
      var (fields, variables, baggage) = ([String: String](), [String: String](), Baggage())
      scope.inject(TenantKey.self) { fields[$0] = $1 }
      scope.inject(TenantKey.self, intoEnvironment: &variables)
      scope.inject(TenantKey.self, into: &baggage)
      let received = [
        DependencyScope.root.extracting(TenantKey.self) { fields[$0] },
        DependencyScope.root.extracting(TenantKey.self, fromEnvironment: variables),
        DependencyScope.root.extracting(TenantKey.self, from: Baggage(baggage.header())),
      ]
      try require(received.allSatisfy { $0.tenant == text }, text)
    }
  }

  private struct Disagreement<Input: Sendable>: Error {
    let input: Input
  }

  /// Replaces `#require`, which takes longer than the code under test.
  private func require<Input: Sendable>(_ isTrue: Bool, _ input: Input) throws {
    if !isTrue { throw Disagreement(input: input) }
  }

  /// Repeats an operation many times.
  ///
  /// Its reports never depend on the content of the input.
  private func inChunks(_ count: Int, _ operation: () throws -> Void) rethrows {
    for _ in 0..<(count / 2000) {
      let issues = try issues { for _ in 0..<2000 { try operation() } }
      #expect(Set(issues.map(\.problem)).count <= 8)
    }
  }
}

/// Generates headers: random bytes, valid headers, and valid headers with a defect.
struct Mutator: RandomNumberGenerator {
  private var random: SplitMix64

  init(seed: Int) { random = SplitMix64(seed: UInt64(seed)) }

  mutating func next() -> UInt64 { random.next() }

  mutating func header() -> [UInt8] {
    switch number(below: 8) {
    case 0: return (0..<number(below: 40)).map { _ in UInt8(number(below: 256)) }
    case 1: return (0..<number(below: 40)).map { _ in pick(Self.alphabet) }
    case 2: return valid()
    case 3: return percents()
    case 4 where number(below: 200) == 0: return huge()
    default:
      var header = valid()
      for _ in 0...number(below: 3) { mutate(&header) }
      return header
    }
  }

  private static let separators = Array("=;,%\" \t\\\r\n\0".utf8)
  private static let alphabet = Array("a=;,% \t\"\\1F".utf8)
  private static let keys = texts("tenant", "plan", "X-Request-ID", "a", "other", "deadline")
  private static let values = texts(
    "", "acme", "paid", "42", "%C3%A9", "a=b", "%41%2C", "%ff", "!#$&'()*+-./:<>?@[]^_`{|}~")
  private static let properties = texts("", "", ";p", ";p=1", " ; p = q ; r", ";p=%20")
  private static let blanks = texts("", "", " ", "\t ")
  private static let percents = texts(
    "%", "%25", "%2", "%2525", "%%", "%C3", "%A9", "%zz", "a", "%00", "%0D%0A")

  private static func texts(_ texts: String...) -> [[UInt8]] { texts.map { Array($0.utf8) } }

  private mutating func valid() -> [UInt8] {
    var header: [UInt8] = []
    for index in 0...number(below: 4) {
      let blank = pick(Self.blanks)
      if index > 0 { header.append(UInt8(ascii: ",")) }
      header += blank + pick(Self.keys) + blank
      header.append(UInt8(ascii: "="))
      header += blank + pick(Self.values) + pick(Self.properties) + blank
    }
    return header
  }

  private mutating func percents() -> [UInt8] {
    Self.keys[0] + [UInt8(ascii: "=")]
      + (0..<number(below: 12)).flatMap { _ in pick(Self.percents) }
  }

  private mutating func huge() -> [UInt8] {
    let unit = valid() + [UInt8(ascii: ",")]
    return (0..<(9000 / unit.count + number(below: 400))).flatMap { _ in unit }
  }

  private mutating func mutate(_ header: inout [UInt8]) {
    let index = number(below: header.count + 1)
    switch number(below: 5) {
    case 0: header.insert(UInt8(number(below: 256)), at: index)
    case 1: header.insert(pick(Self.separators), at: index)
    case 2 where index < header.count: header.remove(at: index)
    case 3 where index < header.count: header[index] = UInt8(number(below: 256))
    default: header.insert(contentsOf: header.prefix(number(below: 20)), at: index)
    }
  }
}

/// The grammar of W3C Baggage, implemented a second time by splitting instead of scanning.
enum ReferenceGrammar {
  /// Returns the key, the decoded value (`nil` if it isn't UTF-8) and the text of a list member;
  /// `nil` if it is malformed.
  static func member(_ text: [UInt8]) -> (key: [UInt8], value: [UInt8])? {
    let parts = text.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
    guard let first = parts.first, let (key, value) = pair(first), let value else { return nil }
    for property in parts.dropFirst() where pair(property) == nil { return nil }
    return (key, value)
  }

  /// Parses `key = value`, or a key alone.
  private static func pair(_ text: ArraySlice<UInt8>) -> (key: [UInt8], value: [UInt8]?)? {
    guard let equals = text.firstIndex(of: UInt8(ascii: "=")) else {
      let key = trimmed(text)
      return isToken(key) ? (key, nil) : nil
    }
    let (key, value) = (trimmed(text[..<equals]), trimmed(text[(equals + 1)...]))
    guard isToken(key), value.allSatisfy(isOctet), hasOnlyWholeEscapes(value) else { return nil }
    return (key, value)
  }

  static func trimmed(_ text: ArraySlice<UInt8>) -> [UInt8] {
    var text = text
    while let byte = text.first, byte == 32 || byte == 9 { text = text.dropFirst() }
    while let byte = text.last, byte == 32 || byte == 9 { text = text.dropLast() }
    return Array(text)
  }

  private static func isToken(_ text: [UInt8]) -> Bool {
    !text.isEmpty
      && text.allSatisfy { byte in
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        case 0x21, 0x23...0x27, 0x2A, 0x2B, 0x2D, 0x2E, 0x5E, 0x5F, 0x60, 0x7C, 0x7E: true
        default: false
        }
      }
  }

  private static func isOctet(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x21, 0x23...0x2B, 0x2D...0x3A, 0x3C...0x5B, 0x5D...0x7E: true
    default: false
    }
  }

  private static func hasOnlyWholeEscapes(_ text: [UInt8]) -> Bool {
    var digits = 0
    for byte in text {
      switch byte {
      case _ where digits > 0:
        guard Character(Unicode.Scalar(byte)).isHexDigit else { return false }
        digits -= 1
      case 0x25: digits = 2
      default: break
      }
    }
    return digits == 0
  }
}
