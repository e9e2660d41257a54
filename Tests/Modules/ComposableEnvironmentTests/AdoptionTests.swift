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
    @Dependency(\.a) var declared
    @DerivedEnvironment<Adopting> var child
  }

  private struct Helper: ComposableEnvironment {
    let scope = DependencyScope.current
    var number = 1
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

    @Test("rule 21: beside a lost property, one that adopt copies isn't reported")
    func partlyAdopted() {
      struct Partly: ComposableEnvironment {
        let scope = DependencyScope.current
        var kept = 1
        var lost = 2
        mutating func adopt(from other: Self) { kept = other.kept }
      }
      let reported = issues { _ = Partly(kept: 10, lost: 20).with(\.a, 10) }
      #expect(reported.count == 1)
      #expect(reported.first?.problem.contains("`lost` of Partly") == true)
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

    @Test("rule 21: losing an equatable value is reported, and no other value")
    func lostValues() {
      /// Equal to nothing, not even to itself.
      struct Unequal: Equatable, Sendable {
        static func == (lhs: Self, rhs: Self) -> Bool { false }
      }
      struct Many: ComposableEnvironment {
        let scope = DependencyScope.current
        var text = "a text that needs memory of its own"
        var number = Double.nan
        var set: Set<Int> = [1, 2, 3]
        var optional: Int?
        var unequal = Unequal()
        var pair: (Int, String) = (1, "one")
        var onTap: @Sendable () -> Int = { 0 }
        var helper = Helper()
        let computed = DependencyScope.current.a
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
      #expect(lost { $0.number = 1 } == 1)
      #expect(lost { $0.set = [1, 2] } == 1)
      #expect(lost { $0.optional = 1 } == 1)
      #expect(lost { $0.number = -.nan } == 0)
      #expect(lost { $0.pair.0 = 2 } == 0)
      #expect(lost { $0.onTap = { 1 } } == 0)
      #expect(lost { $0.helper = $0.helper.with(\.b, 20) } == 0)
    }
  #endif
}
