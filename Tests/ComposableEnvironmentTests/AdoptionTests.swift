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

  @Test("rule 21: what adopt takes over survives with, and is not reported")
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
    #expect(reported.count <= 1, "the property differs from the original's, in a debug build")
  }

  @Test("a property that has its initial value is not lost")
  func initialValues() {
    #expect(lost { _ in }.isEmpty)
  }

  #if DEBUG
    @Test("rule 21: a stored property that with loses is reported by name, with what to write")
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

    @Test("rule 21: closures, objects, nested values and nested environments are not lost silently")
    func lostPropertiesOfEveryKind() {
      let number = Int.random(in: 1...9)
      #expect(lost { $0.onTap = { number } }.map(\.problem.first) == ["T"])
      #expect(lost { $0.options = [.init(number: 1)] }.count == 1)
      #expect(lost { $0.object = Losing.Object() }.count == 1)
      #expect(lost { $0.helper.number = 2 }.count == 1)
    }

    @Test(
      "rule 21: a property of a derived environment that is lost is reported at its declaration")
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
  #endif
}
