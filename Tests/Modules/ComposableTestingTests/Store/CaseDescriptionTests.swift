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
    case moved(String, to: Int)
    case nested(Inner)
    case labeled(inner: Inner)
  }

  private enum Inner {
    case plain(String), other(text: String)
    case numbers([Int]), others([Int])
    case flag(Bool), otherFlag(Bool)
    case missing(Int?), otherMissing(Int?)
    case set(Set<Int>), otherSet(Set<Int>)
    case point(Point), otherPoint(Point)
  }

  private struct Point: Equatable {
    var x = 0
  }

  @Test("is named in messages")
  func namesCases() {
    #expect(describe(/Search.Action.ticked) == ".ticked")
    #expect(describe(/Search.Action.loaded) == ".loaded(Array<String>)")
    #expect(describe(/Many.second) == ".second(width: Int, height: Int)")
    #expect(describe(/Many.third) == ".third(Array<Many>)")
    #expect(describe(/Many.moved) == ".moved(String, to: Int)")
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

  @Test("is named if other cases have the same payload, and its type has a simple value")
  func decides() {
    #expect(describe(/Many.first) == ".first(String)")
    #expect(describe(/Many.fourth) == ".fourth(text: String)")
    #expect(describe(/Inner.others) == ".others(Array<Int>)")
    #expect(describe(/Inner.otherFlag) == ".otherFlag(Bool)")
    #expect(describe(/Inner.otherMissing) == ".otherMissing(Optional<Int>)")
    #expect(describe(/Inner.otherSet) == ".otherSet(Set<Int>)")
  }

  @Test("is named among the cases with the same payload, until a path is used")
  func ambiguous() {
    let path = /Inner.otherPoint
    #expect(describe(path) == ".point(Point) or .otherPoint(Point)")
    #expect(path.extract(from: .point(Point())) == nil)
    #expect(describe(path) == ".otherPoint(Point)")
  }

  @Test("is named with the cases around it")
  func nested() {
    #expect(describe(/Many.nested .. /Inner.numbers) == ".nested(.numbers(Array<Int>))")
    #expect(
      describe(/Many.labeled .. /Inner.set) == ".labeled(inner: .set(Set<Int>))")
    #expect(describe(/Many.self .. /Many.third) == ".third(Array<Many>)")
    #expect(describe(/Many.self) == "any action")
  }

  @Test("isn't decided by calling closures with made-up values")
  func closures() {
    let path = CasePath<Inner, String>(
      embed: { text in
        Issue.record("embeds \(text)")
        return .plain(text)
      },
      extract: { _ in nil })
    #expect(describe(path) == ".plain(String) or .other(String)")
    #expect(describe(/Many.nested .. path) == "an action with String")
  }

  private enum Generic<Value> {
    case value(Value)
    case list([Value])
  }
}
