import ComposableReducers
import Testing

@testable import ComposableTesting

@Suite("The case of a path")
struct CaseDescriptionTests {
  private enum Many {
    case first(String)
    case second(width: Int, height: Int)
    indirect case third([Many])
    case fourth(text: String)
    case fifth(Result<String, any Error>)
    case sixth
    case seventh(Double?)
  }

  @Test("is named in messages; several are named if the payload is ambiguous")
  func namesCases() {
    #expect(describe(/Search.Action.ticked) == ".ticked")
    #expect(describe(/Search.Action.loaded) == ".loaded(Array<String>)")
    #expect(describe(/Many.second) == ".second((Int, Int))")
    #expect(describe(/Many.third) == ".third(Array<Many>)")
    #expect(describe(/Many.fourth) == ".first(String) or .fourth(String)")
    #expect(describe(/Many.fifth) == ".fifth(Result<String, Error>)")
    #expect(describe(/Many.seventh) == ".seventh(Optional<Double>)")
    #expect(
      describe(CasePath<Many, Bool>(embed: { _ in .sixth }, extract: { _ in nil }))
        == "an action with Bool")
    #expect(
      describe(CasePath<Int, Bool>(embed: { _ in 1 }, extract: { _ in nil }))
        == "an action with Bool")
    #expect(describe(/Generic<String>.value) == ".value(String)")
  }

  private enum Generic<Value> {
    case value(Value)
    case list([Value])
  }
}
