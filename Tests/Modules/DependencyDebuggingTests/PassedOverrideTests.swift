@testable import DependencyDebugging
import ComposableDependencies
import TestSupport
import Testing

/// Code reads in a scope that was captured before, while a call around it overrides the key.
@Suite("Overrides that a read passes")
struct PassedOverrideTests {
  private let scope = DependencyScope.isolated(usingTestValues: false, recordingPlaces: true)
  private let passed = Log()

  init() {
    scope.listenToPassedOverrides { [passed] in passed.append("\($0.key)") }
  }

  @Test("a default that an older scope reads where a call overrides the key is reported")
  func reported() {
    scope.with(\.a, 1).run { _ = scope.run { DependencyScope.current.a } }
    #expect(passed.lines == ["AKey"])
  }

  @Test("in scopes that call each other, the innermost call that overrides the key counts")
  func nested() {
    let older = scope.with(\.b, 1)
    scope.with(\.a, 1).run {
      older.with(\.c, 1).run { _ = scope.run { DependencyScope.current.a } }
    }
    #expect(passed.lines == ["AKey"])
  }

  @Test("an override that was read isn't passed by a later read")
  func readBefore() {
    scope.with(\.a, 1).run {
      _ = DependencyScope.current.a
      _ = scope.run { DependencyScope.current.a }
    }
    #expect(passed.lines == [])
  }

  @Test("an override over another store isn't passed")
  func otherStore() {
    let other = DependencyScope.isolated(usingTestValues: false, recordingPlaces: true)
    other.with(\.a, 1).run { _ = scope.run { DependencyScope.current.a } }
    #expect(passed.lines == [])
  }

  @Test("a read of an override, or of another key, passes none")
  func otherReads() {
    let older = scope.with(\.a, 2)
    scope.with(\.a, 1).run {
      _ = older.run { (DependencyScope.current.a, DependencyScope.current.b) }
    }
    #expect(passed.lines == [])
  }
}
