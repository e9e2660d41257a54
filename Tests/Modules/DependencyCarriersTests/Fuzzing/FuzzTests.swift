import ComposableDependencies
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
          Array($0.bytes[$0.key]) == $1.key && Array($0.bytes[$0.value]) == $1.value
        }
        try require(isSame, bytes)
      } else {
        let isWellFormed = members.allSatisfy {
          ReferenceGrammar.member(Array($0.bytes[$0.all])) != nil
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
    let texts = { (baggage: Baggage) in baggage.received.map { Array($0.bytes[$0.all]) } }
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
