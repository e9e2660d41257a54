import ComposableReducers
import TestSupport
import Testing

@testable import ValueDifferences

@Suite("A difference")
struct DifferenceTests {
  private struct User: Equatable {
    var name: String
    var age: Int?
    var address = Address()
    var tags: [String] = []
  }

  private struct Address: Equatable {
    var city = "Paris"
    var zip = 75001
  }

  private enum Route: Equatable {
    case home
    case detail(id: Int, tab: String)
    case user(User)
  }

  @Test("shows what differs, its neighbors and what encloses it")
  func nested() {
    let expected = [
      User(name: "A", age: 1, tags: ["x"]), User(name: "B", address: Address(city: "Rome")),
    ]
    var actual = expected
    actual[1].address.zip = 5
    #expect(
      difference(between: expected, and: actual) == """
          [
          … (11 lines are the same)
            User(
          … (2 lines are the same)
              address: Address(
                city: "Rome",
        -       zip: 75001,
        +       zip: 5,
              ),
              tags: [],
            ),
          ]
        """)
  }

  @Test("shows in which of two optionals a `nil` is")
  func nestedOptionals() {
    #expect(
      difference(between: Int??.none as Any, and: Int??.some(nil) as Any) == """
        - nil
        + .some(
        +   nil,
        + )
        """)
  }

  /// A dictionary in the order of its insertions.
  private struct Ordered: Equatable, CustomReflectable {
    let pairs: KeyValuePairs<Int, String>
    var customMirror: Mirror {
      Mirror(
        self, children: pairs.map { (label: String?.none, value: ($0, $1) as Any) },
        displayStyle: .dictionary)
    }

    static func == (lhs: Self, rhs: Self) -> Bool { lhs.pairs.elementsEqual(rhs.pairs, by: ==) }
  }

  @Test("shows the order of a dictionary that has one")
  func orderedDictionaries() {
    let (old, new) = (Ordered(pairs: [1: "a", 2: "b"]), Ordered(pairs: [2: "b", 1: "a"]))
    #expect(
      difference(between: old, and: new) == """
          [
        -   1: "a",
            2: "b",
        +   1: "a",
          ]
        """)
  }

  private enum Level: CustomStringConvertible {
    case low, high
    var description: String { "a level" }
  }

  @Test("of collections shows only added, removed or changed elements")
  func collections() {
    #expect(
      difference(between: Array(0..<50), and: Array(0..<25) + Array(26..<51)) == """
          [
          … (24 lines are the same)
            24,
        -   25,
            26,
          … (22 lines are the same)
            49,
        +   50,
          ]
        """)
    #expect(
      difference(between: [1: "a", 10: "b", 9: "c"], and: [9: "c", 1: "a"]) == """
          [
            1: "a",
            9: "c",
        -   10: "b",
          ]
        """)
    #expect(
      difference(between: Set([3, 1, 2]), and: Set([2, 1])) == """
          [
            1,
            2,
        -   3,
          ]
        """)
  }

  @Test("of enums and optionals reads like Swift")
  func enums() {
    #expect(
      difference(between: Route.home, and: Route.detail(id: 1, tab: "a")) == """
        - .home
        + .detail(
        +   id: 1,
        +   tab: "a",
        + )
        """)
    #expect(
      difference(between: User(name: "A", age: 1), and: User(name: "A"))?
        .contains("-   age: 1,\n+   age: nil,") == true)
    #expect(
      difference(between: Route?.none as Any, and: Route?.some(.home) as Any) == "- nil\n+ .home")
  }

  @Test("of long texts is shortened to the part that differs")
  func longTexts() {
    let text = String(repeating: "abcdefghij", count: 100)
    let shown = difference(between: text + "X" + text, and: text + "Y" + text)
    let lines = shown?.split(separator: "\n") ?? []
    #expect(lines.count == 2)
    #expect(lines.allSatisfy { $0.count < 180 }, "\(lines)")
    #expect(shown?.contains("jX") == true && shown?.contains("jY") == true, "\(lines)")
    #expect(
      difference(between: "a\nb\nc", and: "a\nB\nc") == """
          \"""
            a
        -   b
        +   B
            c
          \"""
        """)
  }

  private final class Node: Equatable {
    let name: String
    var next: Node?

    init(_ name: String) { self.name = name }

    static func == (lhs: Node, rhs: Node) -> Bool { lhs === rhs }
  }

  @Test("of objects distinguishes them, and stops at cycles")
  func objects() {
    let (first, second) = (Node("a"), Node("a"))
    first.next = first
    second.next = first
    let shown = difference(between: [first, second], and: [first, first])
    #expect(
      shown == """
          [
          … (3 lines are the same)
            ),
        -   Node#2(
        +   Node#1(
              name: "a",
        -     next: Node#1(
        -       name: "a",
        -       next: Node#1(…),
        -     ),
        +     next: Node#1(…),
            ),
          ]
        """)
    first.next = nil
    second.next = nil
  }

  private struct Secretive: Equatable, CustomStringConvertible {
    var number = 1
    var description: String { "something" }
  }

  private struct Opaque: Equatable {
    var number = 1
  }

  @Test("uses a type's own description, unless that hides the difference")
  func descriptions() {
    #expect(short(Secretive()) == "Secretive(something)")
    #expect(short(Duration.seconds(1)) == "Duration(1.0 seconds)")
    #expect(
      difference(between: Secretive(), and: Secretive(number: 2))?
        .contains("-   number: 1,\n+   number: 2,") == true)
    #expect(difference(between: 1, and: 1) == nil)
  }

  /// Describes itself with a text of its own.
  private struct Described: Equatable, CustomStringConvertible {
    let description: String
  }

  @Test("of values with descriptions shows a short one on one line, and others as a block")
  func describedValues() {
    #expect(
      difference(between: [Described(description: "20 °C")], and: [Described(description: "21 °C")])
        == """
          [
        -   Described(20 °C),
        +   Described(21 °C),
          ]
        """)
    // It already looks like Swift.
    #expect(
      difference(
        between: Described(description: "Described[1]"),
        and: Described(description: "Described[2]"))
        == "- Described[1]\n+ Described[2]")
    #expect(
      difference(
        between: Described(description: "a\n\nb"), and: Described(description: "a\n\nc"))
          == """
            Described(
              a
              \("")
          -   b
          +   c
            )
          """)
  }

  @Test("on one line reads like Swift")
  func oneLine() {
    #expect(short(Route.detail(id: 1, tab: "a")) == #".detail(id: 1, tab: "a")"#)
    #expect(short([1: [2.5], 2: []]) == "[1: [2.5], 2: []]")
    #expect(short((1, b: "x")) == #"(1, b: "x")"#)
    #expect(
      short(Route.user(User(name: "A"))).hasPrefix(#".user(User(name: "A", age: nil, address: A"#))
    #expect(short(String(repeating: "a", count: 500)).count < 150)
  }

  @Test("of sets and dictionaries is in the order of their elements")
  func unordered() {
    struct P: Hashable {
      var x: Int
      var y: Int
    }
    let points = [P(x: 1, y: 1), P(x: 1, y: 2), P(x: 1, y: 3), P(x: 2, y: 1), P(x: 2, y: 2)]
    let text = points.map { "P(x: \($0.x), y: \($0.y))" }.joined(separator: ", ")
    #expect(short(Set(points)) == "[\(text)]")
    #expect(short(["b": 1, "a": 2, "d": 3, "c": 4]) == #"["a": 2, "b": 1, "c": 4, "d": 3]"#)
    #expect(short([10: true, 9: false, -1: true]) == "[-1: true, 9: false, 10: true]")
    #expect(short(Set([P?.none, points[0]])) == "[P(x: 1, y: 1), nil]")
  }

  @Test("of elements with an identity shows them as a collection")
  func identified() {
    struct Row: Identifiable, Equatable {
      let id: Int
      var text = ""
    }
    let rows = IdentifiedArray(uniqueElements: [Row(id: 1), Row(id: 2)])
    var changed = rows
    changed[id: 2]?.text = "b"
    let shown = difference(between: rows, and: changed)
    #expect(shown?.contains("-     text: \"\",\n+     text: \"b\",") == true, "\(shown ?? "")")
  }
}
