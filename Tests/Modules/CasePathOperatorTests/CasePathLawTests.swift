import CasePathOperator
import ComposableDependencies
import StandardDependencies
import TestSupport
import Testing

/// An embedded value is extracted again; a root of another case extracts nothing.
@Suite("the laws of case paths, over enums of many shapes")
struct CasePathLawTests {
  @Test("paths of generic enums of every two types keep the laws", arguments: sampled.indices)
  func generic(index: Int) {
    let reported = issues {
      // Every second type, and itself, so that each pair occurs in one of its two orders.
      for step in 0...sampled.count / 2 {
        let other = (index + step) % sampled.count
        // In variables, because Swift 6.2 doesn't open an element of an array as a generic argument.
        let (one, two) = (sampled[index], sampled[other])
        check(one, two, LawOfPaths(seed: index + step))
      }
    }
    #expect(reported.isEmpty)
  }

  private func check<A: Sampled, B: Sampled>(_: A.Type, _: B.Type, _ law: LawOfPaths) {
    let a = A.samples[0]
    let b = B.samples[0]

    let two: [Two<A, B>] = [.first(a), .second(b), .neither, .either]
    law.check(two, 0, of: /Two.first, A.samples)
    law.check(two, 1, of: /Two.second, B.samples)
    law.check(two, 2, of: /Two.neither)
    law.check(two, 3, of: /Two.either)

    let labelled: [Labelled<A, B>] = [
      .same(value: a), .twin(value: a), .pair(a, b), .named(a: a, b: b), .none,
    ]
    let pairs = zip(A.samples, B.samples).map { ($0, $1) }
    law.check(labelled, 0, of: /Labelled.same(value:), A.samples)
    law.check(labelled, 1, of: /Labelled.twin(value:), A.samples)
    law.check(labelled, 2, of: /Labelled.pair, pairs)
    law.check(labelled, 3, of: /Labelled.named(a:b:), pairs)
    law.check(labelled, 4, of: /Labelled.none)

    let boxed: [Boxed<A, B>] = [.first(a), .pair(a, b), .plain(b), .none]
    law.check(boxed, 0, of: /Boxed.first, A.samples)
    law.check(boxed, 1, of: /Boxed.pair, pairs)
    law.check(boxed, 2, of: /Boxed.plain, B.samples)
    law.check(boxed, 3, of: /Boxed.none)

    let nested: [Boxed<Two<A, B>, Two<A, B>?>] = two.map { .first($0) } + two.map { .plain($0) }
    for index in two.indices {
      law.check(nested, index, of: /Boxed.first, [two[index]], isAlso: { $0 < two.count })
    }

    let optional: [Two<A, B>??] = two.map { .some(.some($0)) } + [.none, .some(.none)]
    law.check(optional, 0, of: /Two.first, A.samples)
    law.check(optional, 1, of: /Two.second, B.samples)
    law.check(optional, 2, of: /Two.neither)
    law.check(optional, 4, of: /Optional.none)
    law.check(optional, 5, of: /Two<A, B>?.none)
  }
}

/// Checks the laws of one path.
///
/// It uses unused paths, and roots in an order that a seed decides.
struct LawOfPaths {
  let seed: Int

  /// Checks the path of one root's case.
  func check<Root, Value>(
    _ roots: [Root], _ index: Int,
    of path: @autoclosure () -> CasePath<Root, Value>, _ values: [Value],
    isAlso: (Int) -> Bool = { _ in false }
  ) {
    var generator = SplitMix64(seed: UInt64(seed))
    let shuffled = Array(roots.enumerated()).shuffled(using: &generator)
    let fresh = path()
    for _ in 0..<2 {
      for (other, root) in shuffled {
        let extracted = fresh.extract(from: root)
        let isExpected = other == index || isAlso(other)
        #expect((extracted != nil) == isExpected, "\(fresh) from \(root)")
        if let extracted { #expect(text(fresh.embed(extracted)) == text(root)) }
      }
    }
    let other = path()
    for value in values {
      let root = other.embed(value)
      #expect(other.extract(from: root).map(text) == text(value), "\(other)")
      #expect(fresh.extract(from: root).map(text) == text(value), "\(fresh)")
    }
  }

  /// Checks the path of a case without payload.
  func check<Root>(_ roots: [Root], _ index: Int, of path: CasePath<Root, Void>!) {
    check(roots, index, of: path, [()])
  }

  /// Compares roots and values by their contents, because few are equatable.
  private func text(_ value: some Any) -> String {
    var text = ""
    dump(value, to: &text)
    return text
  }
}

private enum Two<A, B> {
  case first(A)
  case second(B)
  case neither
  case either
}

private enum Labelled<A, B> {
  case same(value: A)
  case twin(value: A)
  case pair(A, B)
  case named(a: A, b: B)
  case none
}

private enum Boxed<A, B> {
  indirect case first(A)
  indirect case pair(A, B)
  case plain(B)
  case none
}

/// A type with values to embed.
private protocol Sampled: SendableMetatype {
  static var samples: [Self] { get }
}

private let sampled: [any Sampled.Type] = [
  Int.self, UInt8.self, Bool.self, Double.self, String.self, Int?.self, Int??.self, [Int].self,
  Leaf.self, Leaf?.self, Dog.self, Dog?.self, Many.self, Unit.self, Nothing.self, Wide.self,
  Unowned.self, Wrapping.self, Box<Int>.self, Box<Wide>.self,
]

extension Int: Sampled { fileprivate static var samples: [Int] { [0, 1, -1] } }
extension UInt8: Sampled { fileprivate static var samples: [UInt8] { [0, 1, 255] } }
extension Bool: Sampled { fileprivate static var samples: [Bool] { [false, true] } }
extension Double: Sampled { fileprivate static var samples: [Double] { [0, -0.0, .nan] } }
extension String: Sampled {
  fileprivate static var samples: [String] { ["", "a", "longer than fifteen bytes"] }
}
extension Optional: Sampled where Wrapped: Sampled {
  fileprivate static var samples: [Wrapped?] { Wrapped.samples.map { $0 } + [nil] }
}
extension Array: Sampled where Element: Sampled {
  fileprivate static var samples: [[Element]] { [[], Element.samples] }
}
extension Leaf: Sampled { fileprivate static var samples: [Leaf] { [.tapped, .renamed("a")] } }
extension Dog: Sampled { fileprivate static var samples: [Dog] { [Dog(), Dog()] } }
extension Many: Sampled { fileprivate static var samples: [Many] { allCases } }
extension Unit: Sampled { fileprivate static var samples: [Unit] { [.only] } }
extension Nothing: Sampled { fileprivate static var samples: [Nothing] { [Nothing()] } }
extension Wide: Sampled { fileprivate static var samples: [Wide] { [Wide()] } }
extension Unowned: Sampled { fileprivate static var samples: [Unowned] { [Unowned()] } }
extension Wrapping: Sampled { fileprivate static var samples: [Wrapping] { [Wrapping()] } }
extension Box: Sampled where Content: Sampled {
  fileprivate static var samples: [Box] {
    [.empty, .full(Content.samples[0]), .labelled(content: Content.samples[0])]
  }
}
