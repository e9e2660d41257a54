import ComposableEnvironment
import TestSupport
import Testing

@Suite("Adoption of stored properties")
struct AdoptionTests {
  private struct Adopting: ComposableEnvironment {
    let scope = DependencyScope.current
    @Dependency(\.a) var declared
    var pageSize = 10
    var onTap: @Sendable () -> Int = { 0 }

    mutating func adopt(from other: Self) {
      pageSize = other.pageSize
      onTap = other.onTap
    }
  }

  private struct Losing: ComposableEnvironment {
    let scope = DependencyScope.current
    var pageSize = 10
    var onTap: @Sendable () -> Int = { 0 }
    var options: [Option] = []
    var object: Object?
    var helper = Helper()
    @Dependency(\.a) var declared
    @DerivedEnvironment<Adopting> var child

    struct Option { var number: Double }
    final class Object: Sendable {}
  }

  private struct Helper: ComposableEnvironment {
    let scope = DependencyScope.current
    var number = 1
  }

  private func lost(_ change: (inout Losing) -> Void) -> [DependencyIssue] {
    issues {
      var losing = Losing()
      change(&losing)
      _ = losing.with(\.a, 10)
    }
  }

  @Test("rule 21: properties that adopt copies survive with, and aren't reported")
  func adopted() {
    let number = Int.random(in: 1...9)
    var adopting = Adopting(pageSize: 50)
    adopting.onTap = { number }
    let overridden = adopting.with(\.a, 10).with(\.b, 20)
    #expect((overridden.pageSize, overridden.onTap(), overridden.declared) == (50, number, 10))
  }

  @Test("rule 21: adopt runs in the new scope")
  func adoptRunsInScope() {
    struct Reading: ComposableEnvironment {
      let scope = DependencyScope.current
      var seen = 0
      mutating func adopt(from other: Self) { seen = DependencyScope.current.a }
    }
    let reported = issues { #expect(Reading().with(\.a, 10).seen == 10) }
    #expect(reported.isEmpty)
  }

  @Test("a property with its initial value isn't reported")
  func initialValues() {
    #expect(lost { _ in }.isEmpty)
  }

  #if DEBUG
    @Test("rule 21: a stored property that with loses is reported by name, with the remedy")
    func lostProperty() throws {
      let line: UInt = #line + 1
      let reported = issues { _ = Losing(pageSize: 50).with(\.a, 10) }
      let issue = try #require(reported.first)
      #expect(reported.count == 1)
      #expect(issue.problem.contains("`pageSize` of Losing is lost"))
      #expect(issue.remedy.contains("pageSize = other.pageSize"))
      #expect(issue.fileID == #fileID)
      #expect(issue.line == line)
    }

    @Test("rule 21: losing closures, objects, nested values or environments is reported")
    func lostPropertiesOfEveryKind() {
      let number = Int.random(in: 1...9)
      #expect(lost { $0.onTap = { number } }.map(\.problem.first) == ["T"])
      #expect(lost { $0.options = [.init(number: 1)] }.count == 1)
      #expect(lost { $0.object = Losing.Object() }.count == 1)
      #expect(lost { $0.helper.number = 2 }.count == 1)
    }

    @Test(
      "rule 21: a lost property of a derived environment is reported at its declaration")
    func lostPropertyOfAChild() throws {
      struct Parent: ComposableEnvironment {
        let scope = DependencyScope.current
        @DerivedEnvironment<Losing> var child
      }
      let reported = issues {
        var parent = Parent()
        parent.child.pageSize = 50
        _ = parent.with(\.a, 10).child
      }
      #expect(reported.count == 1)
      #expect(reported.first?.problem.contains("`pageSize` of Losing") == true)
    }

    private struct Holder: Sendable { @DerivedEnvironment<Helper> var helper }

    private struct Nesting: ComposableEnvironment {
      let scope = DependencyScope.current
      var helpers = [Helper(), Helper()]
      var optional: Helper? = Helper()
      var named = ["one": Helper()]
      var holder = Holder()
      var stored = DependencyScope.current
      var changed = [Helper().with(\.b, 1), Helper().with(\.b, DependencyScope.current.a)]
      var other = DependencyScope.current.with(\.b, 1)
    }

    @Test("rule 21: losing overrides of environments in stored properties is reported")
    func lostOverrides() {
      func lost(_ change: (inout Nesting) -> Void) -> [String] {
        issues {
          var nesting = Nesting()
          change(&nesting)
          _ = nesting.with(\.a, 10)
        }.map(\.remedy)
      }
      #expect(lost { _ in }.isEmpty)
      #expect(lost { $0.helpers[1][\.b] = 20 }.map { $0.contains("helpers") } == [true])
      #expect(lost { $0.helpers[1][\.a] = 20 }.map { $0.contains("helpers") } == [true])
      #expect(lost { $0.optional?[\.b] = 20 }.map { $0.contains("optional") } == [true])
      #expect(lost { $0.named["one"]?[\.b] = 20 }.map { $0.contains("named") } == [true])
      #expect(lost { $0.holder.helper[\.b] = 20 }.map { $0.contains("holder") } == [true])
      #expect(lost { $0.stored = .root.with(\.b, 20) }.map { $0.contains("stored") } == [true])
      #expect(lost { $0.changed[0][\.b] = 20 }.map { $0.contains("changed") } == [true])
      #expect(lost { $0.other = $0.other.with(\.b, 20) }.map { $0.contains("other") } == [true])
    }

    @Test("rule 21: losing values that are hard to compare is reported")
    func lostValuesThatAreHardToCompare() {
      /// Equal to nothing, not even to itself.
      struct Unequal: Equatable, Sendable {
        var values: [Int]
        static func == (lhs: Self, rhs: Self) -> Bool { false }
      }
      struct Many: ComposableEnvironment {
        let scope = DependencyScope.current
        var text = "a text that needs memory of its own"
        var type: any Sendable.Type = Int.self
        var number = Double.nan
        var pair: (Int, String) = (1, "one")
        var set: Set<Int> = [1, 2, 3]
        var unequal: Unequal?
      }
      func lost(_ change: (inout Many) -> Void) -> Int {
        issues {
          var many = Many()
          change(&many)
          _ = many.with(\.a, 10)
        }.count
      }
      #expect(lost { _ in } == 0)
      #expect(lost { $0.text = "a text that needs memory of a kind" } == 1)
      #expect(lost { $0.type = String.self } == 1)
      #expect(lost { $0.number = 1 } == 1)
      #expect(lost { $0.number = -.nan } == 1)
      #expect(lost { $0.pair.1 = "two" } == 1)
      #expect(lost { $0.pair.0 = 2 } == 1)
      #expect(lost { $0.set = [1, 2, 4] } == 1)
      #expect(lost { $0.set = [1, 2] } == 1)
      #expect(lost { $0.unequal = Unequal(values: [1]) } == 1)
    }

    @Test("rule 21: a value that doesn't equal what `init()` makes is reported, whatever is in it")
    func unequalValues() {
      struct Unequal: Equatable, Sendable {
        var values: [Int]
        static func == (lhs: Self, rhs: Self) -> Bool { false }
      }
      struct Remaking: ComposableEnvironment {
        let scope = DependencyScope.current
        let unequal = Unequal(values: (0..<3).map { $0 * DependencyScope.current.b })
      }
      #expect(issues { _ = Remaking().with(\.a, 10) }.count == 1)
    }

    @Test("rule 21: a value whose type mentions a function is compared as a whole")
    func functionInType() {
      struct Limited<Function>: Sendable {
        let kind = 1
        let limit: Int
      }
      struct Remaking: ComposableEnvironment {
        let scope = DependencyScope.current
        var limited = Limited<() -> Int>(limit: DependencyScope.current.b)
      }
      #expect(issues { _ = Remaking().with(\.a, 10) }.isEmpty)
      #expect(issues { _ = Remaking(limited: .init(limit: 3)).with(\.a, 10) }.count == 1)
    }

    @Test("rule 21: a child that is lost because of a custom mirror is reported")
    func customMirror() {
      struct Child: ComposableEnvironment { let scope = DependencyScope.current }
      struct Reflected: ComposableEnvironment, CustomReflectable {
        let scope = DependencyScope.current
        @DerivedEnvironment<Child> var child
        var customMirror: Mirror { Mirror(self, children: []) }
      }
      struct Other: ComposableEnvironment {
        @DerivedEnvironment<Helper> var helper; let scope = DependencyScope.current
      }
      var other = Other()
      other.helper[\.b] = 20
      #expect(issues { _ = Reflected().with(\.a, 10) }.isEmpty, "no child was assigned")
      let reported = issues {
        var reflected = Reflected()
        reflected.child[\.b] = 20
        _ = reflected.with(\.a, 10)
      }
      #expect(reported.map { $0.problem.contains("CustomReflectable") } == [true])
    }

    @Test("a property that init() sets to the same value isn't reported", arguments: 0..<50)
    func sameValues(round: Int) {
      struct Options: ComposableEnvironment {
        let scope = DependencyScope.current
        let values: [String: any Sendable] = [
          "one": 1, "two": [2], "three": "three", "four": 4.0, "five": Set([5, 6, 7, 8]),
        ]
        let closures: [String: @Sendable () -> Int] = ["one": { 1 }, "two": { 2 }, "three": { 3 }]
        let read: @Sendable () -> Int = { [scope = DependencyScope.current] in scope.a }
      }
      #expect(issues { _ = Options().with(\.a, 10) }.isEmpty)
    }
  #endif
}
