struct Failure: Error, Equatable {
  var code = 0
}

class Animal: @unchecked Sendable {}
final class Dog: Animal, @unchecked Sendable {}

enum Leaf: Equatable {
  case tapped
  case renamed(String)
}

/// A case of each shape that a payload can have.
enum Shape {
  case tapped
  case cancelled
  case one(Int)
  case same(value: Int)
  case twin(value: Int)
  case pair(Int, String)
  case move(x: Int, y: Int)
  case tuple((Int, String))
  case labelledTuple(value: (x: Int, y: Int))
  case set(width: Int)
  case set(height: Int)
  case set(name: String)
  case leaf(Leaf)
  case error(any Error)
  case anything(Any)
  case named(value: Any)
  case perhaps(Int?)
  case perhapsAnything(Any?)
  case deep(Int??)
  case void(Void)
  case namedVoid(value: Void)
  case callback((Int) -> Int)
  case handler(id: Int, @Sendable @MainActor (Int) async throws -> Void)
  case typedThrows((Int) throws(Failure) -> Int)
  case animal(Animal)
  case dog(Dog)
  case metatype(any Error.Type)
  case type(Int.Type)
  case numberAndType(Int, String.Type)
  case perhapsCallback(((Int) -> Int)?)
  case callbacks([(Int) -> Int])
  case never(Never)
  case impossible(Int, Never)
  case mixed(id: Int, error: any Error, anything: Any, perhaps: String?)
  indirect case nested(Shape)
  indirect case branches(left: Shape, right: Shape)
}

/// An enum whose description hides its case.
enum Disguised: CustomStringConvertible, CustomDebugStringConvertible {
  case first
  case second
  case third(Int)
  case fourth(Int)

  var description: String { "the same" }
  var debugDescription: String { "the same" }
}

/// An enum that hides its payloads.
enum Secretive: CustomReflectable {
  case open
  case closed
  case password(String)

  var customMirror: Mirror {
    Mirror(self, children: ["password": "***"], displayStyle: .enum)
  }
}

enum Box<Content> {
  case empty
  case full(Content)
  case labelled(content: Content)
  case pair(Content, Content)
}

/// An enum that stores its case in bits that a reference doesn't use.
enum Packed {
  case flag(Bool)
  indirect case held(Dog)
  indirect case other(Dog)
  case none
}

enum Unit {
  case only
}

/// More cases than a word has bits.
enum Many: CaseIterable, Equatable {
  case a0(Bool), a1(Bool), a2(Bool), a3(Bool), a4(Bool), a5(Bool), a6(Bool), a7(Bool), a8(Bool)
  case b0(Bool), b1(Bool), b2(Bool), b3(Bool), b4(Bool), b5(Bool), b6(Bool), b7(Bool), b8(Bool)
  case c0(Bool), c1(Bool), c2(Bool), c3(Bool), c4(Bool), c5(Bool), c6(Bool), c7(Bool), c8(Bool)
  case d0(Bool), d1(Bool), d2(Bool), d3(Bool), d4(Bool), d5(Bool), d6(Bool), d7(Bool), d8(Bool)
  case e0(Bool), e1(Bool), e2(Bool), e3(Bool), e4(Bool), e5(Bool), e6(Bool), e7(Bool), e8(Bool)
  case f0(Bool), f1(Bool), f2(Bool), f3(Bool), f4(Bool), f5(Bool), f6(Bool), f7(Bool), f8(Bool)
  case g0(Bool), g1(Bool), g2(Bool), g3(Bool), g4(Bool), g5(Bool), g6(Bool), g7(Bool), g8(Bool)
  case h0(Bool), h1(Bool), h2(Bool), h3(Bool), h4(Int), h5(Int), h6(Bool), h7(Bool), h8(Bool)

  /// Some of the cases, among them `a4` and `a7`, whose tags end like those of `h5` and `h8`.
  static var allCases: [Many] {
    [.a0(true), .a4(true), .a7(true), .b1(true), .c2(false), .d3(true), .e4(true), .f5(false)]
      + [.g6(true), .h0(true)]
      + [.h1(true), .h2(true), .h3(true), .h4(1), .h5(1), .h6(true), .h7(true), .h8(true)]
  }
}

struct Nothing {}

/// A payload with a large alignment.
struct Wide {
  var numbers = SIMD8<Double>(repeating: 2)
}

/// A payload that the runtime copies.
struct Unowned {
  private static let object = Dog()
  weak var weak: Dog? = Unowned.object
  unowned var unowned = Unowned.object
  unowned(unsafe) var unsafe = Unowned.object
}

/// A payload of existentials.
struct Wrapping {
  var error: any Error = Failure(code: 1)
  var anything: Any = "a"
  var closure: @Sendable (Int) -> Int = { $0 }
}

/// A payload that isn't `Equatable`.
struct Measure {
  var number: Int
}

/// A recursive enum of which all values are equal.
indirect enum Chain: Equatable {
  case end
  case next(Chain)

  static func == (lhs: Self, rhs: Self) -> Bool { true }
}

/// Cases that the compiler converts to paths of other types, and functions that aren't cases.
enum Loose {
  case error(any Error)
  case animal(Animal)
  case key(AnyHashable)
  case perhaps(String?)
  case number(Int)
  case other(Int)
  case measure(Measure)

  static func nextMeasure(_ measure: Measure) -> Loose {
    .measure(Measure(number: measure.number + 1))
  }
  static func next(_ number: Int) -> Loose { .number(number + 1) }
  static func deep(_ name: String) -> Loose { .error(Failure(code: name.count)) }
}
