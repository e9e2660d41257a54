import CasePathOperator
import ComposableDependencies
import TestSupport
import Testing

@Suite("case paths by reflection")
struct CasePathTests {
  @Test("an initializer makes the same path as the operator")
  func initializer() {
    let path = CasePath(Shape.one)
    #expect(path.extract(from: path.embed(3)) == 3)
    #expect(path.extract(from: .same(value: 3)) == nil)
    // Swift 6.2 can't compile a comparison of an optional metatype there.
    let reported = issues {
      #expect(CasePath(Shape.type).extract(from: .type(Int.self)).map { _ in true } == nil)
    }
    #expect(reported.count == 1)
  }

  @Test("several values are extracted as a tuple, with labels and without")
  func severalValues() throws {
    let pair = try #require((/Shape.pair).extract(from: .pair(1, "a")))
    #expect(pair == (1, "a"))
    let move = try #require((/Shape.move).extract(from: .move(x: 1, y: 2)))
    #expect(move == (1, 2))
    let tuple = try #require((/Shape.tuple).extract(from: .tuple((1, "a"))))
    #expect(tuple == (1, "a"))
    let labelled = try #require(
      (/Shape.labelledTuple).extract(from: .labelledTuple(value: (x: 1, y: 2)))
    )
    #expect((labelled.x, labelled.y) == (1, 2))
    let relabelled: CasePath<Shape, (x: Int, y: Int)> = /Shape.move
    #expect(try #require(relabelled.extract(from: .move(x: 3, y: 4))).y == 4)
    let mixed = try #require(
      (/Shape.mixed).extract(
        from: .mixed(id: 1, error: Failure(code: 2), anything: 3, perhaps: nil)
      )
    )
    #expect(mixed.0 == 1)
    #expect(mixed.1 as? Failure == Failure(code: 2))
    #expect(mixed.2 as? Int == 3)
    #expect(mixed.3 == nil)
  }

  @Test("cases are extracted regardless of the enum's description and mirror")
  func disguised() {
    let first: CasePath<Disguised, Void> = /Disguised.first
    #expect(first.extract(from: .first) != nil)
    #expect(first.extract(from: .second) == nil)
    #expect((/Disguised.third).extract(from: .fourth(1)) == nil)
    #expect((/Disguised.third).extract(from: .third(1)) == 1)
  }

  @Test("existential payloads are extracted unchanged")
  func existentials() throws {
    let error = try #require((/Shape.error).extract(from: .error(Failure(code: 1))))
    #expect(error as? Failure == Failure(code: 1))
    let metatype = (/Shape.metatype).extract(from: .metatype(Failure.self))
    #expect(metatype.map(ObjectIdentifier.init) == ObjectIdentifier(Failure.self))
    #expect((/Shape.error).extract(from: .anything(Failure())) == nil)

    let anything = /Shape.anything
    #expect(anything.extract(from: .named(value: 1)) == nil)
    #expect(anything.extract(from: .anything(1)) as? Int == 1)
    let named = /Shape.named
    #expect(named.extract(from: .anything(1)) == nil)
    #expect(try #require(named.extract(from: .named(value: "a"))) as? String == "a")
    let wrapped = try #require(anything.extract(from: .anything(Int?.none as Any)))
    #expect(type(of: wrapped) == Int?.self)
    let none = (/Shape.perhapsAnything).extract(from: .perhapsAnything(nil))
    #expect(none != nil && none! == nil)
    let tuple = try #require(Mirror(reflecting: Shape.same(value: 1)).children.first).value
    #expect(type(of: try #require(anything.extract(from: .anything(tuple)))) != Int.self)
  }

  @Test("payloads that are closures or metatypes are reported, unless they are inside a value")
  func functions() throws {
    let reported = issues {
      #expect((/Shape.callback).extract(from: .callback { $0 + 1 }) == nil)
      #expect((/Shape.perhapsCallback).extract(from: .perhapsCallback { $0 + 1 }) == nil)
      #expect((/Shape.typedThrows).extract(from: .typedThrows { $0 * 2 }) == nil)
      #expect((/Shape.handler).extract(from: .handler(id: 7) { _ in }) == nil)
      #expect((/Shape.type).extract(from: .type(Int.self)).map { _ in true } == nil)
      #expect((/Shape.numberAndType).extract(from: .numberAndType(1, String.self)) == nil)
      #expect((/((Int) -> Int)?.some).extract(from: { $0 + 1 }) == nil)
    }
    #expect(reported.count == 7)
    #expect(try #require(reported.first).problem.contains("(Int) -> Int from Shape"))
    let callbacks = (/Shape.callbacks).extract(from: .callbacks([{ $0 + 1 }]))
    #expect(callbacks?.first?(1) == 2)
  }

  @Test("payloads that are void or uninhabited have paths")
  func emptyPayloads() {
    #expect((/Unit.only).extract(from: .only) != nil)
    #expect((/Shape.void).extract(from: .void(())) != nil)
    #expect((/Shape.void).extract(from: .namedVoid(value: ())) == nil)
    #expect((/Shape.namedVoid).extract(from: .namedVoid(value: ())) != nil)
    #expect((/Shape.namedVoid).extract(from: .tapped) == nil)
    #expect((/Shape.never).extract(from: .tapped) == nil)
    #expect((/Shape.impossible).extract(from: .one(1)) == nil)
  }
}
