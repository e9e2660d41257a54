import ComposableDependencies
import TestSupport
import Testing

@Suite("Aliases")
struct AliasingTests {
  private let scope = DependencyScope.isolated()

  private func alias(
    _ dependency: any WritableKeyPath<Dependencies, Int> & Sendable,
    _ target: any WritableKeyPath<Dependencies, Int> & Sendable
  ) {
    scope.alias(dependency, to: target, fileID: #fileID, line: #line)
  }

  @Test("rule 12: aliased dependencies read the same value in every scope over the store")
  func equivalence() {
    let before = scope.with(\.a, 10)
    let ofTarget = scope.with(\.b, 10)
    alias(\.a, \.b)
    #expect((scope.a, scope.b) == (2, 2))
    #expect((before.a, before.b) == (10, 10))
    for later in [before.with(\.a, 11), before.with(\.b, 11), ofTarget.with(\.a, 11)] {
      #expect((later.a, later.b) == (11, 11))
    }
  }

  @Test("rule 12: aliasing is symmetric and transitive, in any order of declarations")
  func orderDoesNotMatter() {
    typealias Property = any WritableKeyPath<Dependencies, Int> & Sendable
    let aliases: [(Property, to: Property)] = [(\.a, to: \.b), (\.c, to: \.d), (\.b, to: \.d)]
    for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
      let scope = DependencyScope.isolated()
      for index in order {
        scope.alias(aliases[index].0, to: aliases[index].to, fileID: #fileID, line: #line)
      }
      #expect([scope.a, scope.b, scope.c, scope.d] == [4, 4, 4, 4])
      let overridden = scope.with(\.a, 9)
      #expect([overridden.a, overridden.b, overridden.c, overridden.d] == [9, 9, 9, 9])
    }
  }

  @Test("rule 13: aliased dependencies read the default of the last target that isn't aliased")
  func defaultOfTheRoot() {
    alias(\.a, \.b)
    alias(\.b, \.c)
    #expect((scope.a, scope.b) == (3, 3))
    alias(\.a, \.d)
    #expect((scope.a, scope.b, scope.c) == (4, 4, 4))
  }

  @Test("rule 13: a value set before the alias is kept, and the root's own wins")
  func setBefore() {
    let both = scope.with(\.c, 30).with(\.a, 10).with(\.b, 20)
    let others = scope.with(\.a, 10).with(\.b, 20)
    scope.setGlobally(\.a, 40)
    scope.setGlobally(\.b, 50)
    alias(\.b, \.c)
    alias(\.a, \.c)
    #expect((both.a, both.b, both.c) == (30, 30, 30))
    #expect((others.a, others.b, others.c) == (20, 20, 20))
    #expect((scope.a, scope.b, scope.c) == (50, 50, 50))
  }

  @Test("rule 14: an alias that would close a cycle changes nothing and names the dependencies")
  func cycle() throws {
    alias(\.a, \.b)
    alias(\.b, \.c)
    let line: UInt = #line + 2
    let reported = issues {
      scope.alias(\.c, to: \.a, fileID: #fileID, line: #line)
    }
    let issue = try #require(reported.first)
    #expect(reported.count == 1)
    #expect((issue.fileID, issue.line) == (#fileID, line))
    #expect(issue.problem.contains("cycle"))
    #expect(issue.problem.contains("\\Dependencies"))
    #expect((scope.a, scope.b, scope.c) == (3, 3, 3))
  }

  @Test("rule 14: an alias that is repeated, or follows from others, silently changes nothing")
  func repetition() {
    let reported = issues {
      for target in [\Dependencies.b, \.c, \.b, \.a] { alias(\.a, target) }
      alias(\.c, \.d)
      alias(\.a, \.d)
    }
    #expect(reported.isEmpty)
    #expect(scope.a == 4)
    scope.run { Dependencies.clearGlobalAliases() }
    for target in [\Dependencies.b, \.c, \.b] { alias(\.a, target) }
    #expect(scope.a == 3, "the root stays the last target, not the last that was repeated")
  }

  @Test("rule 15: a dependency computed from an aliased one sees the alias")
  func computedDependencies() {
    alias(\.a, \.b)
    #expect((scope.sum, scope.double) == (4, 4))
    #expect((scope.with(\.b, 10).sum, scope.with(\.b, 10).double) == (20, 20))
  }

  @Test("rules 10, 16: aliases belong to the current store, whichever of its scopes declares them")
  func aliasesBelongToTheStore() {
    scope.with(\.c, 0).run { Dependencies.alias(\.a, to: \.b) }
    #expect((scope.a, DependencyScope.isolated().a, DependencyScope.root.a) == (2, 1, 1))
  }

  @Test("rule 12: a concurrent read returns the value before an alias or after it")
  func oneReadOneState() async {
    for round in 0..<50 {
      let store = DependencyScope.isolated()
      if !round.isMultiple(of: 2) {
        store.setGlobally(\.a, 10)
        store.setGlobally(\.b, 20)
      }
      let scope = round.isMultiple(of: 2) ? store.with(\.a, 10).with(\.b, 20) : store
      await withTaskGroup { group in
        group.addTask {
          for _ in 0..<20 {
            scope.alias(\.a, to: \.b, fileID: #fileID, line: #line)
            scope.run { Dependencies.clearGlobalAliases() }
          }
        }
        for _ in 0..<2 {
          group.addTask {
            for _ in 0..<100 {
              let read = scope.a
              #expect(read == 10 || read == 20)
            }
          }
        }
      }
      #expect((scope.a, scope.b) == (10, 20))
    }
  }

  @Test("rule 12: a chain of a thousand aliases has one value")
  func longChains() {
    let members = ManyKeys.first(1000)
    for (member, next) in zip(members, members.dropFirst()) {
      scope.alias(\.[member: member], to: \.[member: next], fileID: #fileID, line: #line)
    }
    let overriding = scope.with(members[500], 7)
    #expect(overriding[members[0]] == 7)
    #expect(overriding[members[999]] == 7)
    #expect(scope[members[0]] == -1)
  }
}
