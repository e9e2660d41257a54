import CasePathOperator
import ComposableDependencies
import TestSupport
import Testing

@Suite("case paths of generic enums, of optionals, and of many cases")
struct CasePathGenericsTests {
  @Test("an optional of an existential keeps its wrapped value unchanged")
  func optionalExistentials() {
    let error: CasePath<(any Error)?, any Error> = /Optional.some
    #expect(error.extract(from: Failure(code: 1)) as? Failure == Failure(code: 1))
    let anything: CasePath<Any?, Any> = /Optional.some
    #expect(anything.extract(from: .some(Int?.none as Any)) != nil)
    #expect(anything.extract(from: nil) == nil)
  }

  @Test("more cases than a word has bits are distinguished")
  func many() {
    let last = /Many.h8
    let integer = /Many.h5
    for root in Many.allCases + Many.allCases.reversed() {
      #expect((last.extract(from: root) != nil) == (root == .h8(true)))
      #expect((integer.extract(from: root) != nil) == (root == .h5(1)))
      #expect(((/Many.h8).extract(from: root) != nil) == (root == .h8(true)))
    }
  }

  @Test("a path shared by many tasks extracts the same in all of them, from its first use on")
  func shared() async {
    for _ in 0..<200 {
      let path = /Shape.twin
      await withTaskGroup(of: Bool.self) { group in
        for number in 0..<4 {
          group.addTask {
            number.isMultiple(of: 2)
              ? path.extract(from: .same(value: number)) == nil
              : path.extract(from: .twin(value: number)) == number
          }
        }
        for await isRight in group { #expect(isRight) }
      }
    }
  }

  @Test("the payload of an enum with a custom mirror is extracted")
  func reflectsItself() throws {
    #expect((/Secretive.password).extract(from: .password("secret")) == "secret")
    let open: CasePath<Secretive, Void> = /Secretive.open
    #expect(open.extract(from: .open) != nil)
    #expect(open.extract(from: .closed) == nil)
    #expect(open.extract(from: .password("a")) == nil)
  }

  @Test("an operand with a payload is reported, and stands for its case")
  func valueWithPayload() throws {
    let reported = issues {
      let path: CasePath<Leaf, Void> = /Leaf.renamed("a")
      #expect(path.extract(from: .renamed("b")) != nil)
      #expect(path.extract(from: .tapped) == nil)
    }
    #expect(reported.count == 1)
    #expect(try #require(reported.first).remedy.contains("/Leaf.renamed"))
  }
}
