import CasePathOperator
import ComposableDependencies
import TestSupport
import Testing

@Suite("case paths through optionals, and rejected paths")
struct CasePathRefusalTests {
  @Test("a case with a payload of its own enum is extracted through an optional")
  func recursiveThroughOptional() throws {
    let path: CasePath<Shape?, Shape> = /Shape.nested
    let some: CasePath<Shape?, Shape> = /Optional.some
    let fresh: CasePath<Shape?, Shape> = /Shape.nested
    #expect(fresh.extract(from: fresh.embed(.one(3))) != nil)
    for path in [path, fresh] {
      #expect(path.extract(from: .one(1)) == nil)
      let inner = try #require(path.extract(from: .nested(.one(2))))
      #expect((/Shape.one).extract(from: inner) == 2)
      #expect(path.extract(from: nil) == nil)
    }
    let deep: CasePath<Shape?, Shape> = /Shape.nested
    #expect(deep.extract(from: deep.embed(.nested(.one(3)))) != nil)
    #expect(deep.extract(from: .one(1)) == nil)
    let wrapped = try #require(some.extract(from: .nested(.one(2))))
    #expect((/Shape.one).extract(from: wrapped) == nil)
    #expect((/Shape.nested).extract(from: wrapped) != nil)
  }

  @Test("a path whose operand was converted to another payload is reported at creation")
  func converted() throws {
    let reported = issues {
      let failure: CasePath<Loose, Failure> = /Loose.error
      let dog: CasePath<Loose, Dog> = /Loose.animal
      let name: CasePath<Loose, String> = /Loose.perhaps
      let key: CasePath<Loose, UInt8> = /Loose.key
      _ = (failure, dog, name, key)
    }
    #expect(reported.count == 4)
    #expect(try #require(reported.first).problem.contains("Failure from Loose"))
    #expect(reported.allSatisfy { $0.problem.contains("no case has a payload") })
    #expect(try #require(reported.last).remedy.contains("CasePath<Loose, UInt8>(embed:"))
    let error: CasePath<Loose, any Error> = /Loose.error
    #expect(error.extract(from: .error(Failure(code: 1))) as? Failure == Failure(code: 1))
  }

  @Test("a converted path next to a case with that payload is reported at its first use")
  func convertedBesideOthers() {
    let reported = issues {
      let key: CasePath<Loose, Int> = /Loose.key
      #expect(key.extract(from: .key("a")) == nil)
      #expect(key.extract(from: .number(1)) == nil)
      #expect(key.extract(from: .other(1)) == nil)
      #expect(key.extract(from: .key(1)) == nil)
    }
    #expect(reported.count == 1)
  }

  @Test("a function that isn't a case is reported at its first use, and extracts nothing")
  func noCase() throws {
    let extracting = issues {
      let next: CasePath<Loose, Int> = /Loose.next
      #expect(next.extract(from: .error(Failure())) == nil)
      #expect(next.extract(from: .number(1)) == nil)
      #expect(next.extract(from: .number(2)) == nil)
    }
    #expect(extracting.count == 1)
    #expect(try #require(extracting.first).problem.contains("isn't a case"))
    let embedding = issues {
      let next: CasePath<Loose, Int> = /Loose.next
      #expect((/Loose.number).extract(from: next.embed(1)) == 2)
      #expect(next.extract(from: .number(2)) == nil)
      #expect(next.extract(from: .number(1)) == nil)
    }
    #expect(embedding.count == 1)
    let making = issues { _ = /Loose.deep as CasePath<Loose, String> }
    #expect(making.count == 1)
  }

  @Test("a function that changes a payload which can't be compared isn't detected")
  func changedBeyondComparison() {
    let reported = issues {
      let next: CasePath<Loose, Measure> = /Loose.nextMeasure
      #expect(next.extract(from: .measure(Measure(number: 1)))?.number == 1)
      #expect(next.extract(from: .number(1)) == nil)
    }
    #expect(reported.isEmpty)
  }

  @Test("a deep payload that its constructor copies is extracted")
  func deepPayload() {
    @Sendable func deep(_ depth: Int) -> Shape {
      (0..<depth).reduce(.one(1)) { shape, _ in .nested(shape) }
    }
    let reported = issues {
      let path: CasePath<Shape, Shape> = /{ @Sendable _ in .nested(deep(100)) }
      #expect(path.extract(from: .nested(deep(100))) != nil)
      #expect(path.extract(from: .nested(deep(1))) != nil)
      #expect(path.extract(from: .one(1)) == nil)
    }
    #expect(reported.isEmpty)
  }

  @Test("of several cases that a copied payload may have come from, the outermost is extracted")
  func deepPayloadThroughOptional() {
    @Sendable func deep(_ depth: Int) -> Shape {
      (0..<depth).reduce(.one(1)) { shape, _ in .nested(shape) }
    }
    let reported = issues {
      let path: CasePath<Shape?, Shape> = /{ @Sendable _ in .some(deep(100)) }
      _ = path.embed(deep(100))
      #expect(path.extract(from: .one(1)) != nil)
    }
    #expect(reported.isEmpty)
  }

  @Test("a tuple with more or fewer values than a payload is reported at creation")
  func otherCountOfValues() {
    let reported = issues {
      let longer: CasePath<Shape, (Int, String, Int)> = /{ @Sendable in .pair($0.0, $0.1) }
      let empty: CasePath<Box<Int>, Void> = CasePath { @Sendable () in .pair(1, 2) }
      _ = (longer, empty)
    }
    #expect(reported.count == 2)
  }

  @Test("a value that isn't an enum has no path, and is reported")
  func noEnum() {
    let reported = issues {
      let path: CasePath<Int, Void> = /5
      #expect(path.embed(()) == 5)
      #expect(path.extract(from: 5) == nil)
      let number: CasePath<Measure, Int> = /Measure.init(number:)
      #expect(number.extract(from: Measure(number: 5)) == nil)
    }
    #expect(reported.count == 2)
    #expect(reported.allSatisfy { $0.problem.contains("the root isn't a Swift enum") })
  }

  @Test("a path through a recursive enum is the outermost case, even if all values are equal")
  func equalPayload() throws {
    let path: CasePath<Chain?, Chain> = /Optional.some
    let chain = try #require(path.extract(from: .next(.next(.end))))
    guard case .next(.next) = chain else {
      Issue.record("It extracts \(chain)")
      return
    }
  }
}
