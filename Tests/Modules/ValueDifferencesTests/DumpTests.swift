import ComposableReducers
import Foundation
import Testing

@testable import ValueDifferences

@Suite("The text of a value")
struct DumpTests {
  private struct Parts {
    var numbers: Set<Int> = [2, 1]
    var names = [1: "a"]
    var text = "a\nb"
    var last: Bool?
  }

  private struct Point: Hashable {
    var x: Int
    var y: Int
  }

  private enum Route {
    case detail(id: Int, tab: String)
    case point(Point?)
    case nothing(Void)
  }

  private indirect enum Nested {
    case end
    case inside(Nested)
  }

  private struct Row: Identifiable {
    let id: Int
  }

  private class Base {
    let first = 1
  }

  private final class Derived: Base {
    let second = 2
  }

  private final class Empty {}

  private struct Secretive: CustomStringConvertible {
    var number = 1
    var description: String { "something" }
  }

  private static let points = [Point(x: 1, y: 1), Point(x: 1, y: 2), Point(x: 2, y: 1)]

  @Test("is one line that reads like Swift, with unordered elements in order")
  func oneLine() {
    let texts: [(value: Any, text: String)] = [
      (Parts(), #"Parts(numbers: [1, 2], names: [1: "a"], text: """ab""", last: nil)"#),
      (Route.detail(id: 1, tab: "a"), #".detail(id: 1, tab: "a")"#),
      (Route.point(Point(x: 1, y: 2)), ".point(Point(x: 1, y: 2))"),
      (["a\n)b"], #"["""a)b"""]"#),
      ((1, b: "x"), #"(1, b: "x")"#),
      ([1: [2.5], 2: []], "[1: [2.5], 2: []]"),
      ([true, false], "[true, false]"),
      ([-1, Decimal(string: "1.5")!, CGFloat(2.5)] as [Any], "[-1, 1.5, 2.5]"),
      ([Point(x: 1, y: 2): "a"], #"[Point(x: 1, y: 2): "a"]"#),
      (Set(Self.points), "[Point(x: 1, y: 1), Point(x: 1, y: 2), Point(x: 2, y: 1)]"),
      (Set([Point?.none, Self.points[0]]), "[Point(x: 1, y: 1), nil]"),
      (["b": 1, "a": 2, "d": 3, "c": 4], #"["a": 2, "b": 1, "c": 4, "d": 3]"#),
      ([10: true, 9: false, -1: true], "[-1: true, 9: false, 10: true]"),
      (IdentifiedArray([Row(id: 2), Row(id: 1)]), "[Row(id: 2), Row(id: 1)]"),
      (Derived(), "Derived(first: 1, second: 2)"),
      (Empty(), "Empty()"),
      (Int.self, "Int"),
      ({ () -> Int in 1 }, "(Function)"),
      (Secretive(), "Secretive(something)"),
      (Duration.seconds(1), "Duration(1.0 seconds)"),
    ]
    for (value, text) in texts { #expect(short(value) == text) }
    #expect(short(String(repeating: "a", count: 500)).count < 150)
    // How many more there are isn't known.
    #expect(short(Array(0..<1_000)).hasSuffix(", 31, 3…"))
  }

  @Test("ends 64 values deep")
  func depthLimit() {
    func text(_ depth: Int) -> [String] {
      lines((0..<depth).reduce(Nested.end) { value, _ in .inside(value) })
    }
    #expect(text(63)[63].hasSuffix("  .end,"))
    #expect(text(64)[64].hasSuffix("  …,"))
    #expect(text(1_000).count == text(64).count)
  }

  @Test("of a text has all of its lines, and shows carriage returns")
  func textLines() {
    let quotes = "\"\"\""
    #expect(
      lines("a\r\n\r\nb\n\nc") == [quotes, #"  a\r"#, #"  \r"#, "  b", "  ", "  c", quotes])
  }

  @Test("has numbers in order that differ less than a Double can tell")
  func largeNumbers() {
    let numbers = (0..<20).map { (1 << 60) + $0 }
    #expect(short(Set(numbers)).hasPrefix("[\(numbers[0]), \(numbers[1]), "))
    #expect(lines(Set(numbers)) == ["["] + numbers.map { "  \($0)," } + ["]"])
  }

  @Test("of nested optionals says which one is nil, only if that differs")
  func nestedOptionals() {
    let value = Bool??.some(.none)
    #expect(short(value as Any) == "nil")
    #expect(lines(value as Any, isExact: true) == [".some(", "  nil,", ")"])
  }

  @Test("of a value that looks like an optional of itself ends", arguments: [false, true])
  func chain(isExact: Bool) {
    final class Loop: CustomReflectable {
      var customMirror: Mirror { Mirror(reflecting: self as Loop? as Any) }
    }
    #expect(!lines(Loop(), isExact: isExact).isEmpty)
  }

  @Test("of an object or a payload without parts is one line")
  func empty() {
    #expect(lines(Empty()) == ["Empty()"])
    #expect(lines(Route.nothing(())) == [".nothing()"])
  }

  @Test("of a dictionary is sorted, unless its own order is what differs")
  func order() {
    let ordered = Ordered(pairs: [2: "b", 1: "a"])
    #expect(lines(ordered) == ["[", "  1: \"a\",", "  2: \"b\",", "]"])
    #expect(lines(ordered, isExact: true) == ["[", "  2: \"b\",", "  1: \"a\",", "]"])
    let unordered = Dictionary(uniqueKeysWithValues: (0..<50).map { ($0, $0) })
    #expect(lines(unordered, isExact: true) == ["["] + (0..<50).map { "  \($0): \($0)," } + ["]"])
  }

  @Test("writes a limited number of values, each time")
  func valueLimit() {
    var dump = Dump(valueLimit: 3)
    for _ in 0..<2 {
      let output = dump.output(of: [1, 2, 3, 4])
      #expect(output.lines == ["[", "  1,", "  2,", "  …,", "  …,", "]"])
      #expect(output.isCut)
    }
    #expect(!dump.output(of: [1, 2]).isCut)
  }

  @Test("has a limited number of lines, of a large set the first ones")
  func lineLimit() {
    var dump = Dump()
    func output(_ value: Any, limit: Int) -> DumpOutput {
      var output = DumpOutput(limit: limit)
      dump.write(value, to: &output)
      return output
    }
    let whole = output([1, 2], limit: 4)
    #expect(whole.lines == ["[", "  1,", "  2,", "]"])
    #expect(!whole.isCut)
    let cut = output([1, 2], limit: 3)
    #expect(cut.lines == ["[", "  1,", "  2,"])
    #expect(cut.isCut)
    #expect(output(Set(0..<500), limit: 4).lines == ["[", "  0,", "  1,", "  2,"])
    #expect(output(Route.detail(id: 1, tab: "a"), limit: 2).lines == [".detail(", "  id: 1,"])
  }

  private func lines(_ value: Any, isExact: Bool = false) -> [String] {
    var dump = Dump(isExact: isExact)
    return dump.output(of: value).lines
  }
}

/// A dictionary in the order of its insertions.
struct Ordered: CustomReflectable {
  let pairs: KeyValuePairs<Int, String>
  var customMirror: Mirror {
    Mirror(
      self, children: pairs.map { (label: String?.none, value: ($0, $1) as Any) },
      displayStyle: .dictionary)
  }
}
