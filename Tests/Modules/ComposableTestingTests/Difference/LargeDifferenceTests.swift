import Testing

@testable import ComposableTesting

@Suite("A large difference")
struct LargeDifferenceTests {
  @Test("is truncated, and computed quickly")
  func much() {
    let shown = difference(between: Array(0..<100_000), and: Array(100_000..<200_000))
    #expect(shown?.split(separator: "\n").count ?? 0 < 100)
    #expect(shown?.hasSuffix("… (and many more)") == true)
    #expect(
      difference(between: Array(0..<500), and: Array(500..<1000))?
        .hasSuffix("(939 more lines differ)") == true)
    // A line next to the last of the 60 is shown, too.
    #expect(
      difference(between: Array(0..<31), and: Array(100..<131))?
        .hasSuffix("+   129,\n  … (1 more line differs)") == true)
    #expect(
      difference(between: Array(0..<30), and: Array(100..<131))?.hasSuffix("+   130,\n  ]") == true)
  }

  @Test("of collections shows the differing elements and their neighbors")
  func large() {
    var numbers = Array(0..<100_000)
    let old = numbers
    numbers[49_999] = -1
    numbers[99_999] = -2
    #expect(
      difference(between: old, and: numbers) == """
          [
          … (3 lines and 49995 elements are the same)
            49998,
        -   49999,
        +   -1,
            50000,
          … (2 lines and 49995 elements are the same)
            99998,
        -   99999,
        +   -2,
          ]
        """)
    #expect(
      difference(between: old, and: Array(old.dropFirst()))?
        .hasPrefix("  [\n-   0,\n    1,\n") == true)
    #expect(
      difference(between: old, and: Array(old[..<50_000]) + [-1] + Array(old[50_000...])) == """
          [
          … (3 lines and 49996 elements are the same)
            49999,
        +   -1,
            50000,
          … (3 lines and 49996 elements are the same)
          ]
        """)
    #expect(
      difference(between: old, and: Array(old.dropLast())) == """
          [
          … (3 lines and 99995 elements are the same)
            99998,
        -   99999,
          ]
        """)
    #expect(
      difference(between: Set(0..<10_000), and: Set(1...10_000)) == """
          [
            … (9999 elements are the same)
        -   0,
        +   10000,
          ]
        """)
    let names = Dictionary(uniqueKeysWithValues: (0..<10_000).map { ($0, "\($0)") })
    var changed = names
    changed[5_000] = "other"
    changed[1] = nil
    #expect(
      difference(between: names, and: changed) == """
          [
            … (9998 elements are the same)
        -   1: "1",
        -   5000: "5000",
        +   5000: "other",
          ]
        """)
  }

  @Test("of collections leaves out elements only if there are more than 200")
  func lengths() {
    func shown(_ count: Int) -> String? {
      let numbers = Array(0..<count)
      var changed = numbers
      changed[100] = -1
      return difference(between: numbers, and: changed)
    }
    #expect(
      shown(200) == """
          [
          … (99 lines are the same)
            99,
        -   100,
        +   -1,
            101,
          … (98 lines are the same)
          ]
        """)
    #expect(
      shown(201) == """
          [
          … (3 lines and 96 elements are the same)
            99,
        -   100,
        +   -1,
            101,
          … (3 lines and 96 elements are the same)
          ]
        """)
  }

  @Test("of collections leaves out equal elements only between more than five", arguments: [5, 6])
  func elementsBetween(count: Int) {
    let numbers = Array(0..<300)
    var changed = numbers
    changed[0] = -1
    changed[count + 1] = -2
    let hidden = count == 5 ? "3 lines are" : "2 lines and 2 elements are"
    #expect(
      difference(between: numbers, and: changed)?
        .contains("  1,\n  … (\(hidden) the same)\n    \(count),\n") == true)
  }

  private struct Point: Equatable {
    var x = 1
  }

  private struct Holder: Equatable {
    var list = Array(0..<201)
    var set = Set(0..<201)
    var pairs = Dictionary(uniqueKeysWithValues: (0..<201).map { ($0, true) })
    var point = Point()
  }

  @Test("of collections in a value has the form of Swift code")
  func parts() {
    var changed = Holder()
    changed.list[200] = -1
    changed.set.remove(0)
    changed.pairs[0] = false
    changed.point.x = 2
    #expect(
      difference(between: Holder(), and: changed) == """
          Holder(
            list: [
          … (3 lines and 196 elements are the same)
              199,
        -     200,
        +     -1,
            ],
            set: [
              … (200 elements are the same)
        -     0,
            ],
            pairs: [
              … (200 elements are the same)
        -     0: true,
        +     0: false,
            ],
            point: Point(
        -     x: 1,
        +     x: 2,
            ),
          )
        """)
  }

  @Test("of collections in optionals leaves out equal elements, too")
  func optionals() {
    struct Results: Equatable {
      var numbers: [Int]? = Array(0..<201)
    }
    var changed = Results()
    changed.numbers?[200] = -1
    #expect(
      difference(between: Results(), and: changed) == """
          Results(
            numbers: [
          … (3 lines and 196 elements are the same)
              199,
        -     200,
        +     -1,
            ],
          )
        """)
  }

  private indirect enum Nested: Equatable {
    case leaf(Int)
    case node(Nested)

    init(_ leaf: Int, depth: Int) {
      self = (0..<depth).reduce(.leaf(leaf)) { nested, _ in .node(nested) }
    }
  }

  @Test("of deeply nested values shows the innermost levels")
  func deep() {
    let shown = difference(between: Nested(1, depth: 500), and: Nested(2, depth: 500)) ?? ""
    #expect(shown.hasPrefix("  … (448 levels deep, in node.node.node."))
    let changed = shown.split(separator: "\n").filter { !$0.hasPrefix(" ") }
    #expect(changed.map { $0.replacing(" ", with: "") } == ["-1,", "+2,"], "\(shown)")
    #expect(difference(between: Nested(1, depth: 500), and: Nested(1, depth: 500)) == nil)
    #expect(short(Nested(1, depth: 500)).hasPrefix(".node(.node(.node("))
    #expect(short(Nested(1, depth: 500)).count == 121)
  }

  @Test("of values at any depth shows what differs")
  func depths() {
    for depth in 50..<80 {
      let shown = difference(between: Nested(1, depth: depth), and: Nested(2, depth: depth)) ?? ""
      let changed = shown.split(separator: "\n").filter { !$0.hasPrefix(" ") }
      #expect(changed.map { $0.first } == ["-", "+"], "\(shown)")
      #expect(changed.map { $0.suffix(2) } == ["1,", "2,"], "\(shown)")
      // What encloses it is shown as long as it isn't too much.
      #expect(shown.hasPrefix("  … (") == (depth >= 63), "\(depth)")
    }
  }

  private struct Deep: Equatable {
    var numbers: [Int]
    var nested = Nested(1, depth: 100)
  }

  @Test("of values that are too deep to be shown says that more may differ")
  func tooDeep() {
    let (old, new) = (Deep(numbers: Array(0..<50)), Deep(numbers: Array(50..<100)))
    // What is too deep is equal.
    #expect(difference(between: old, and: new)?.hasSuffix("more lines differ)") == true)
    #expect(
      difference(between: old.numbers, and: new.numbers)?.hasSuffix("more lines differ)") == true)
    // One value that is too deep is enough.
    let shallow = Deep(numbers: new.numbers, nested: Nested(1, depth: 1))
    #expect(difference(between: old, and: shallow)?.hasSuffix("  … (and many more)") == true)
    #expect(difference(between: shallow, and: old)?.hasSuffix("  … (and many more)") == true)
  }

  /// Counts its descriptions.
  private struct Counted: Equatable, CustomStringConvertible {
    let log: Log
    var number: Int
    static func == (lhs: Counted, rhs: Counted) -> Bool { lhs.number == rhs.number }

    var description: String {
      log.append("\(number)")
      return "\(number)"
    }
  }

  private struct Board: Equatable {
    var cells = Array(repeating: Array(repeating: 0, count: 150), count: 150)
    var list = Nested(1, depth: 70)
    var generation = 1
  }

  @Test("behind a large or deep part that is equal is shown")
  func behindEqualParts() {
    var new = Board()
    new.generation = 2
    #expect(
      difference(between: Board(), and: new) == """
          Board(
            cells: …,
            list: …,
        -   generation: 1,
        +   generation: 2,
          )
        """)
  }

  private struct Wide: Equatable {
    var (a, b, c, d, e, f, g) = (1, 2, 3, 4, 5, 6, 7)
    var (h, i, j, k, l, m, n) = (1, 2, 3, 4, 5, 6, 7)
  }

  private enum Loadable: Equatable {
    case loading
    case loaded([Int])
    case failed(code: Int, texts: [Int])
  }

  @Test("of elements far from each other shows only these, also in the payload of a case")
  func farFromEachOther() {
    let wide = Array(repeating: Wide(), count: 150)
    var changed = wide
    (changed[0].a, changed[149].n) = (10, 70)
    let numbers = Array(0..<30_000)
    var others = numbers
    (others[0], others[29_999]) = (-1, -2)
    let pairs: [(Any, Any)] = [
      (wide, changed), (Loadable.loaded(numbers), Loadable.loaded(others)),
      (Loadable.failed(code: 1, texts: numbers), Loadable.failed(code: 1, texts: others)),
    ]
    for (old, new) in pairs {
      let lines = difference(between: old, and: new)?.split(separator: "\n") ?? []
      let changes = lines.filter { !$0.hasPrefix(" ") }.map { $0.prefix(1) }
      #expect(changes == ["-", "+", "-", "+"], "\(lines)")
    }
    let cases = difference(between: Loadable.loading, and: Loadable.loaded([1])) ?? ""
    #expect(cases.hasPrefix("- .loading\n+ .loaded("))
  }

  private final class Plain {
    var next: Plain?
  }

  private struct NotEqual: Equatable {
    let node: Plain
    var number = Double.nan

    static func == (lhs: NotEqual, rhs: NotEqual) -> Bool { lhs.number == rhs.number }
  }

  @Test("isn't looked for in an object inside itself")
  func cycle() {
    let node = Plain()
    node.next = node
    defer { node.next = nil }
    #expect(difference(between: NotEqual(node: node), and: NotEqual(node: node)) == nil)
  }

  private final class Vertex {
    var near: [Int: Vertex] = [:]
  }

  @Test("ends in time where objects refer to each other in many ways")
  func graph() {
    let vertices = (0..<12).map { _ in Vertex() }
    for vertex in vertices { vertex.near = Dictionary(uniqueKeysWithValues: zip(0..., vertices)) }
    defer { for vertex in vertices { vertex.near = [:] } }
    #expect(short(vertices[0]).hasPrefix("Vertex#1(near: ["))
    #expect(difference(between: [vertices[0]], and: [vertices[1]]) != nil)
  }

  @Test("on one line describes only what it shows")
  func describesOnlyWhatIsShown() {
    let log = Log()
    let values = (0..<10_000).map { Counted(log: log, number: $0) }
    #expect(short(values).hasPrefix("[Counted(0), Counted(1), "))
    #expect(short(values).hasSuffix("…"))
    #expect(log.lines.count < 500)
    #expect(short(Set(0..<1_000)).hasPrefix("[0, 1, 2, 3, 4, 5, "))
    #expect(short(Set(0..<100_000)).count == 121)
    #expect(short(String(repeating: "a", count: 10_000_000)).count < 150)
  }
}
