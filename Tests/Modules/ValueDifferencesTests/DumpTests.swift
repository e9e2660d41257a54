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
  }
}
