import CasePathOperator
import TestSupport
import Testing

@Suite("using case paths by reflection")
struct CasePathUseTests {
  @Test("a path is a pattern")
  func pattern() {
    func name(_ shape: Shape) -> String {
      switch shape {
      case /Shape.one: "one"
      case /Shape.set(width:): "width"
      case (/Shape.leaf).appending(path: /Leaf.renamed): "renamed"
      default: "other"
      }
    }
    #expect(name(.one(1)) == "one")
    #expect(name(.set(width: 1)) == "width")
    #expect(name(.set(height: 1)) == "other")
    #expect(name(.leaf(.renamed("a"))) == "renamed")
    #expect(name(.leaf(.tapped)) == "other")
    if case /Shape.one = Shape.same(value: 1) { Issue.record("another case matched") }
  }

  @Test("a case is a function that extracts")
  func functions() {
    let leaves: [Leaf] = [.tapped, .renamed("a"), .renamed("b")]
    #expect(leaves.compactMap(/Leaf.renamed) == ["a", "b"])
  }

  @Test("extracting doesn't change the root or its payload")
  func ownership() {
    weak var seen: Dog?
    do {
      let dog = Dog()
      seen = dog
      let roots: [Shape] = [
        .dog(dog), .nested(.dog(dog)), .branches(left: .dog(dog), right: .dog(dog)), .anything(dog),
      ]
      for _ in 0..<100 {
        _ = roots.map { (/Shape.dog).extract(from: $0) }
        _ = roots.map { (/Shape.nested).extract(from: $0) }
        _ = roots.map { (/Shape.branches).extract(from: $0) }
        let optional: CasePath<Shape??, Shape> = /Shape.nested
        _ = roots.map { optional.extract(from: $0) }
        let late: CasePath<Shape?, Void> = /Shape.tapped
        _ = roots.map { late.extract(from: $0) }
      }
      #expect((/Shape.dog).extract(from: roots[0]) === dog)
      let packed: [Packed] = [.held(dog), .flag(true), .other(dog), .none]
      for _ in 0..<100 {
        #expect(
          packed.map { (/Packed.held).extract(from: $0) === dog } == [true, false, false, false])
        #expect(
          packed.map { (/Packed.other).extract(from: $0) === dog } == [false, false, true, false])
      }
    }
    #expect(seen == nil)
  }
}
