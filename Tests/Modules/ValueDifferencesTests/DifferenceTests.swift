import Testing

@testable import ValueDifferences

@Suite("A difference")
struct DifferenceTests {
  private struct User {
    var name: String
    var age: Int?
    var address = Address()
    var tags: [String] = []
  }

  private struct Address: Hashable {
    var city = "Paris"
    var zip = 75001
  }

  private enum Route {
    case home
    case detail(id: Int, tab: String)
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
    #expect(difference(between: 1, and: 1) == nil)
  }

  @Test("of 10,000 elements shows the one that differs")
  func large() {
    var addresses = (0..<10_000).map { Address(zip: $0) }
    let old = addresses
    addresses[7_000].city = "Rome"
    #expect(
      difference(between: old, and: addresses) == """
          [
          … (28000 lines are the same)
            Address(
        -     city: "Paris",
        +     city: "Rome",
              zip: 7000,
            ),
          … (11996 lines are the same)
          ]
        """)
  }

  @Test("of collections shows only added, removed, changed or moved elements")
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
      difference(between: Set([3, 1, 2]), and: Set([2, 1])) == """
          [
            1,
            2,
        -   3,
          ]
        """)
    #expect(
      difference(
        between: Ordered(pairs: [1: "a", 2: "b"]), and: Ordered(pairs: [2: "b", 1: "a"])) == """
            [
          -   1: "a",
              2: "b",
          +   1: "a",
            ]
          """)
    #expect(
      difference(between: [Address(): 1], and: [Address(): 2]) == """
          [
          … (2 lines are the same)
              zip: 75001,
        -   ): 1,
        +   ): 2,
          ]
        """)
  }

  @Test("of enums and optionals reads like Swift, and shows in which of two optionals a `nil` is")
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
      difference(between: Route?.none as Any, and: Route?.some(.home) as Any) == "- nil\n+ .home")
    #expect(
      difference(between: Int??.none as Any, and: Int??.some(nil) as Any) == """
        - nil
        + .some(
        +   nil,
        + )
        """)
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
      difference(between: "a\nb\nc", and: "a\n\nc") == """
          \"""
            a
        -   b
        +   \("")
            c
          \"""
        """)
  }

  @Test("of texts shows what can't be seen, if nothing else differs")
  func invisible() {
    #expect(
      difference(between: "a\r\nb\nc", and: "a\nb\nc") == """
          \"""
        -   a\\r
        +   a
            b
            c
          \"""
        """)
    #expect(difference(between: "a\r\nb", and: "a\r\nc")?.contains("a\\r\n-   b\n+   c\n") == true)
    #expect(
      difference(between: "a\u{200B}b", and: "ab") == """
        - "a\\u{200B}b"
        + "ab"
        """)
    #expect(difference(between: "a b", and: "a\u{A0}b") == "- \"a b\"\n+ \"a\\u{A0}b\"")
    #expect(difference(between: "a\u{200B}b", and: "ac") == "- \"a\u{200B}b\"\n+ \"ac\"")
  }

  private final class Node {
    var next: Node?
  }

  @Test("of objects stops at cycles")
  func objects() {
    let (first, second) = (Node(), Node())
    first.next = first
    second.next = first
    #expect(
      difference(between: [first, second], and: [first, first]) == """
          [
          … (3 lines are the same)
            Node(
        -     next: Node(
        -       next: Node(…),
        -     ),
        +     next: Node(…),
            ),
          ]
        """)
    first.next = nil
    second.next = nil
  }

  private final class Person {
    let name: String
    let age: Int
    var friends: [Person] = []

    init(_ name: String, _ age: Int) {
      (self.name, self.age) = (name, age)
    }

    /// Four people who are all friends.
    static func friends(lastAge: Int) -> [Person] {
      let people = [Person("a", 1), Person("b", 2), Person("c", 3), Person("d", lastAge)]
      for person in people { person.friends = people.filter { $0 !== person } }
      return people
    }

    static func part(_ people: [Person]) {
      for person in people { person.friends = [] }
    }
  }

  @Test("of equal parts of different objects is none, even if they refer to each other")
  func equalObjects() throws {
    let (old, new) = (Person.friends(lastAge: 4), Person.friends(lastAge: 5))
    defer {
      Person.part(old)
      Person.part(new)
    }
    let lines = Set(changedLines(from: old, to: new).map { $0.filter { $0 != " " } })
    #expect(lines == ["-age:4,", "+age:5,"])
  }

  @Test("of objects numbers them if they have equal parts")
  func numberedObjects() {
    let (first, second) = (Person("a", 1), Person("a", 1))
    let text = difference(between: [first, second], and: [first, first]) ?? ""
    #expect(text.contains("-   Person#2(") && text.contains("+   Person#1("))
  }

  @Test("of key paths shows their properties")
  func keyPaths() {
    let text = difference(between: [\Person.name as AnyKeyPath], and: [\Person.age]) ?? ""
    #expect(text.contains("\\Person.name,") && text.contains("\\Person.age,"))
  }

  private struct Described: CustomStringConvertible {
    let description: String
    var number = 1
  }

  @Test("uses a type's own description, as a line or a block, unless that hides the difference")
  func descriptions() {
    func difference(_ old: String, _ new: String) -> String? {
      ValueDifferences.difference(
        between: [Described(description: old)], and: [Described(description: new)])
    }
    #expect(
      difference("20 °C", "21 °C") == """
          [
        -   Described(20 °C),
        +   Described(21 °C),
          ]
        """)
    // It already looks like Swift.
    #expect(difference("Described[1]", "Described[2]")?.contains("\n-   Described[1],\n") == true)
    #expect(
      difference("a\n\nb", "a\n\nc") == """
          [
            Described(
              a
              \("")
        -     b
        +     c
            ),
          ]
        """)
    let numbers = (1...2).map { Described(description: "the same", number: $0) }
    #expect(
      ValueDifferences.difference(between: numbers[0], and: numbers[1])?
        .contains("-   number: 1,\n+   number: 2,") == true)
  }

  @Test("is truncated, and doesn't call differing what it leaves out of both values")
  func truncated() {
    let shown = difference(between: Array(0..<500), and: Array(500..<1000))
    #expect(shown?.hasSuffix("(939 more lines differ)") == true)
    #expect(
      difference(between: Array(0..<30_000), and: Array(30_000..<60_000))?
        .split(separator: "\n").count ?? 0 < 100)
    var lines = (0..<30_000).map(String.init)
    let old = lines.joined(separator: "\n")
    lines[5] = "other"
    let ofTexts = difference(between: old, and: lines.joined(separator: "\n"))
    #expect(ofTexts?.contains("lines are the same)") == true, "\(ofTexts ?? "")")
    #expect(ofTexts?.contains("more lines differ") == false)
  }
}
