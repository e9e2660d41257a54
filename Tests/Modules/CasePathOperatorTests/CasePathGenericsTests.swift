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

  @Test("each path extracts only from its own case, in any order of use")
  func everyPair() {
    let pairs = Self.pairs
    for offset in pairs.indices {
      let shifted = pairs[offset...] + pairs[..<offset]
      let paths = Self.pairs.map(\.matches)
      for root in shifted {
        for (other, matches) in zip(pairs, paths) {
          guard let matches else { continue }
          #expect(matches(root.root) == (root.name == other.name), "\(other.name) of \(root.name)")
        }
      }
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

extension CasePathGenericsTests {
  struct Pair {
    let name: String
    let root: Shape
    let matches: ((Shape) -> Bool)?
  }

  /// A fresh path and a root for every inhabited case; no path for the others.
  static var pairs: [Pair] {
    func pair<Value>(_ name: String, _ path: CasePath<Shape, Value>, _ root: Shape) -> Pair {
      Pair(name: name, root: root) { path.extract(from: $0) != nil }
    }
    return [
      pair("tapped", /Shape.tapped, .tapped),
      pair("cancelled", /Shape.cancelled, .cancelled),
      pair("one", /Shape.one, .one(1)),
      pair("same", /Shape.same, .same(value: 1)),
      pair("twin", /Shape.twin, .twin(value: 1)),
      pair("pair", /Shape.pair, .pair(1, "a")),
      pair("move", /Shape.move, .move(x: 1, y: 1)),
      pair("tuple", /Shape.tuple, .tuple((1, "a"))),
      pair("labelledTuple", /Shape.labelledTuple, .labelledTuple(value: (1, 1))),
      pair("width", /Shape.set(width:), .set(width: 1)),
      pair("height", /Shape.set(height:), .set(height: 1)),
      pair("name", /Shape.set(name:), .set(name: "a")),
      pair("leaf", /Shape.leaf, .leaf(.tapped)),
      pair("otherLeaf", /Shape.otherLeaf, .otherLeaf(.tapped)),
      pair("error", /Shape.error, .error(Failure())),
      pair("anything", /Shape.anything, .anything(1)),
      pair("named", /Shape.named, .named(value: 1)),
      pair("perhaps", /Shape.perhaps, .perhaps(1)),
      pair("perhapsAnything", /Shape.perhapsAnything, .perhapsAnything(1)),
      pair("deep", /Shape.deep, .deep(1)),
      pair("void", /Shape.void, .void(())),
      pair("namedVoid", /Shape.namedVoid, .namedVoid(value: ())),
      pair("callbacks", /Shape.callbacks, .callbacks([])),
      Pair(name: "callback", root: .callback { $0 }, matches: nil),
      Pair(name: "perhapsCallback", root: .perhapsCallback { $0 }, matches: nil),
      Pair(name: "handler", root: .handler(id: 1) { _ in }, matches: nil),
      Pair(name: "typedThrows", root: .typedThrows { $0 }, matches: nil),
      Pair(name: "type", root: .type(Int.self), matches: nil),
      Pair(name: "numberAndType", root: .numberAndType(1, String.self), matches: nil),
      pair("animal", /Shape.animal, .animal(Dog())),
      pair("dog", /Shape.dog, .dog(Dog())),
      pair("object", /Shape.object, .object(Dog())),
      pair("metatype", /Shape.metatype, .metatype(Failure.self)),
      pair("array", /Shape.array, .array([1])),
      pair("names", /Shape.names, .names(["a": 1])),
      pair(
        "mixed", /Shape.mixed, .mixed(id: 1, error: Failure(), anything: "a", perhaps: nil)
      ),
      pair("nested", /Shape.nested, .nested(.tapped)),
      pair("branches", /Shape.branches, .branches(left: .tapped, right: .one(1))),
    ]
  }
}
