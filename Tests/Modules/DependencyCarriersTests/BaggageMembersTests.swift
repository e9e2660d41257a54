import Testing

@testable import DependencyCarriers

@Suite("Members of baggage")
struct BaggageMembersTests {
  private func text(_ field: String, in baggage: Baggage) -> String? {
    guard case .text(let text)? = baggage.value(of: field) else { return nil }
    return text
  }

  @Test("what was injected is read again, each member by its name")
  func injected() {
    var baggage = Baggage()
    baggage.set("tenant", to: "a, b")
    baggage.set("user", to: "Köln")
    #expect(text("tenant", in: baggage) == "a, b")
    #expect(text("user", in: baggage) == "Köln")
    #expect(text("other", in: baggage) == nil)
    baggage.set("tenant", to: "c")
    #expect((text("tenant", in: baggage), text("user", in: baggage)) == ("c", "Köln"))
    baggage.set("tenant", to: nil)
    #expect((text("tenant", in: baggage), baggage.count) == (nil, 1))
  }
}
