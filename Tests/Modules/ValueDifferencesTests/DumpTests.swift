import Foundation
import Testing

@testable import ValueDifferences

@Suite("The lines of a value")
struct DumpTests {
  private struct Point: Hashable {
    var x: Int
    var y: Int
  }

  private struct Parts: Equatable {
    var numbers: Set<Int> = [2, 1]
    var names = [1: "a"]
    var text = "a\nb"
    var last = true
  }

  private class Base {
    let first = 1
  }

  private final class Derived: Base {
    let second = 2
  }

  private final class Empty {}

  @Test("have the form of Swift code for each kind of part")
  func parts() {
    #expect(
      short(Parts())
        == #"Parts(numbers: [1, 2], names: [1: "a"], text: """ab""", last: true)"#)
    var changed = Parts()
    changed.last = false
    #expect(
      difference(between: [Parts()], and: [changed]) == """
          [
            Parts(
          … (10 lines are the same)
              \""",
        -     last: true,
        +     last: false,
            ),
          ]
        """)
  }

  @Test("of a text contain its empty lines")
  func emptyLines() {
    #expect(
      difference(between: "a\nb", and: "a\n\nb") == """
          \"""
            a
        +   \("")
            b
          \"""
        """)
  }

  @Test("of a number are its literal, whatever its type")
  func numbers() {
    #expect(short([1, -2]) == "[1, -2]")
    #expect(short([Decimal(string: "1.5")!]) == "[1.5]")
    #expect(short([CGFloat(2.5)]) == "[2.5]")
    #expect(short([true, false]) == "[true, false]")
  }

  @Test("of a type or a function are its description")
  func descriptions() {
    #expect(short(Int.self) == "Int")
    #expect(short({ () -> Int in 1 }) == "(Function)")
  }

  @Test("of a dictionary contain keys of several lines")
  func keys() {
    #expect(short([Point(x: 1, y: 2): "a"]) == #"[Point(x: 1, y: 2): "a"]"#)
    #expect(
      difference(between: [[Point(x: 1, y: 2): 1]], and: [[Point(x: 1, y: 2): 2]]) == """
          [
            [
          … (2 lines are the same)
                y: 2,
        -     ): 1,
        +     ): 2,
            ],
          ]
        """)
  }

  @Test("of an object contain the properties of its superclasses")
  func objects() {
    #expect(short(Derived()) == "Derived#1(first: 1, second: 2)")
    #expect(short(Empty()) == "Empty#1()")
  }

  @Test("that are left out of both values aren't called differing")
  func cut() {
    let lines = (0..<30_000).map(String.init)
    var changed = lines
    changed[5] = "other"
    let shown = difference(
      between: lines.joined(separator: "\n"), and: changed.joined(separator: "\n"))
    #expect(shown?.contains("lines are the same)") == true, "\(shown ?? "")")
    #expect(shown?.contains("more lines differ") == false)
  }
}
