/// Generates headers: random bytes, valid headers, and valid headers with a defect.
struct Mutator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next(_ bound: Int) -> Int {
    // SplitMix64.
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return Int((z ^ (z >> 31)) % UInt64(bound))
  }

  mutating func header() -> [UInt8] {
    switch next(8) {
    case 0: return (0..<next(40)).map { _ in UInt8(next(256)) }
    case 1: return (0..<next(40)).map { _ in pick(Self.alphabet) }
    case 2: return valid()
    case 3: return percents()
    case 4 where next(200) == 0: return huge()
    default:
      var header = valid()
      for _ in 0...next(3) { mutate(&header) }
      return header
    }
  }

  private mutating func pick<Value>(_ values: [Value]) -> Value { values[next(values.count)] }

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
    for index in 0...next(4) {
      let blank = pick(Self.blanks)
      if index > 0 { header.append(UInt8(ascii: ",")) }
      header += blank + pick(Self.keys) + blank
      header.append(UInt8(ascii: "="))
      header += blank + pick(Self.values) + pick(Self.properties) + blank
    }
    return header
  }

  private mutating func percents() -> [UInt8] {
    Self.keys[0] + [UInt8(ascii: "=")] + (0..<next(12)).flatMap { _ in pick(Self.percents) }
  }

  private mutating func huge() -> [UInt8] {
    let unit = valid() + [UInt8(ascii: ",")]
    return (0..<(9000 / unit.count + next(400))).flatMap { _ in unit }
  }

  private mutating func mutate(_ header: inout [UInt8]) {
    let index = next(header.count + 1)
    switch next(5) {
    case 0: header.insert(UInt8(next(256)), at: index)
    case 1: header.insert(pick(Self.separators), at: index)
    case 2 where index < header.count: header.remove(at: index)
    case 3 where index < header.count: header[index] = UInt8(next(256))
    default: header.insert(contentsOf: header.prefix(next(20)), at: index)
    }
  }
}
