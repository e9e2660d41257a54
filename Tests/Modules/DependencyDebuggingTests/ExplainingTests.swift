@testable import DependencyDebugging
import Environments
import ComposableDependencies
import ComposableResources
import Foundation
import TestSupport
import Testing

@Suite("Explaining scopes")
struct ExplainingTests {
  private let scope = DependencyScope.isolated(usingTestValues: false, recordingPlaces: true)

  @Test("rule 36: an explanation names the value, the place, what it shadows and the default")
  func override() throws {
    let inner = scope.with(\.a, 10).with(\.a, 20); let line: UInt = #line
    let entry = try #require(inner.explain(\.a).entries.first)
    #expect(entry.value == "20" && inner.a == 20)
    #expect(entry.source == .override)
    #expect(entry.name == "a")
    #expect(entry.place?.line == line)
    #expect(entry.place?.fileID.hasSuffix("ExplainingTests.swift") == true)
    #expect(entry.shadowed.map(\.place?.line) == [line])
    #expect(entry.defaultName == "AKey.defaultValue")
    #expect(inner.explain().entries.map(\.description) == [entry.description])
  }

  @Test("the text says where the value comes from, what it shadows, its default and its aliases")
  func text() {
    let file = "DependencyDebuggingTests/ExplainingTests.swift"
    scope.run { Dependencies.setGlobally { $0[TestKey.self] = 1 } }; let first: UInt = #line
    let below = scope.with { $0[TestKey.self] = 2 }; let second: UInt = #line
    let above = below.with { $0[TestKey.self] = 3 }; let third: UInt = #line
    #expect(
      above.explain(TestKey.self).entries[0].description == """
        TestKey = 3
          overridden at \(file):\(third)
          shadows the override at \(file):\(second); the global value 1 at \(file):\(first)
          default: TestKey.defaultValue
        """)
    #expect(
      scope.explain(AliasedTestKey.self).entries[0].description == """
        AliasedTestKey = 0
          default: nothing overrides it or sets it globally
          computed by AliasedTestKey.defaultValue
        """)
    scope.run { Dependencies.alias(\.aliasedTest, to: \.test) }
    #expect(
      scope.explain(TestKey.self).entries[0].description == """
        TestKey = 1
          set globally at \(file):\(first)
          default: TestKey.defaultValue
          aliases: AliasedTestKey
        """)
    let ids = [ObjectIdentifier(TestKey.self), ObjectIdentifier(AliasedTestKey.self)]
    #expect(scope.aliasedKeys(with: AliasedTestKey.self).map { ObjectIdentifier($0) } == ids)
    #expect(scope.aliasedKeys(with: UnreadKey.self).count == 1)
  }

  @Test("in tests, an explanation doesn't claim that a key declares a test value")
  func testValue() {
    let scope = DependencyScope.isolated(usingTestValues: true)
    #expect(
      scope.explain(TestKey.self).entries[0].description == """
        TestKey = 0
          default: nothing overrides it or sets it globally
          computed by TestKey.testValue, or else defaultValue
        """)
  }

  @Test("rule 36: a default is explained by its value and what it reads itself")
  func computedDefault() {
    enum Delay: DependencyKey {
      static var defaultValue: Int { DependencyScope.current[TestKey.self] + 1 }
    }
    enum Timeout: DependencyKey {
      static var defaultValue: Int { DependencyScope.current[Delay.self] * 10 }
    }
    let file = "DependencyDebuggingTests/ExplainingTests.swift"
    let scope = scope.with { $0[TestKey.self] = 4 }; let line: UInt = #line
    #expect(scope[Timeout.self] == 50)
    #expect(
      scope.explain(Timeout.self).entries[0].description == """
        Timeout = 50
          default: nothing overrides it or sets it globally
          computed by Timeout.defaultValue from
            Delay = Delay.defaultValue
              default: nothing overrides it or sets it globally
        """)
    #expect(
      scope.explain(Delay.self).entries[0].inputs.map(\.description) == [
        """
        TestKey = 4
          overridden at \(file):\(line)
          default: TestKey.defaultValue
        """
      ])
    // An overridden default isn't computed.
    let override = scope.with { $0[Timeout.self] = 7 }
    #expect(override.explain(Timeout.self).entries.map(\.inputs.count) == [0])
  }

  @Test("a shared value is explained by its inputs")
  func sharedValue() throws {
    enum Key: SharedKey {
      static func make(_ needs: SharedInputs) -> Text { Text("made with \(needs[TestKey.self])") }
    }
    let scope = scope.with { $0[TestKey.self] = 4 }
    for _ in 1...2 {  // It makes an instance, and then finds it.
      let entry = try #require(scope.explain(Key.self).entries.first)
      #expect(entry.inputs.map(\.name) == ["TestKey"] && entry.inputs[0].value == "4")
    }
  }

  @Test("the default of a key in a test is its test value")
  func computedTestValue() {
    let scope = DependencyScope.isolated(usingTestValues: true)
    #expect(scope.explain(\.mailer).entries.map(\.value) == ["\"test\""])
    #expect(self.scope.explain(\.mailer).entries.map(\.value) == ["\"live\""])
  }

  @Test("a key that is known only from this explanation has the name of its property")
  func learnedName() {
    #expect(scope.explain(\.onlyExplained).entries.map(\.name) == ["onlyExplained"])
  }

  @Test("the library's own keys aren't explained")
  func unrecordedKeys() {
    enum LibraryKey: UnrecordedKey { static var defaultValue: Int { 1 } }
    let scope = scope.with {
      $0[LibraryKey.self] = 2
      $0.a = 1
    }
    #expect(scope.explain().entries.map(\.name) == ["a"])
  }

  @Test("a property that reads no key has no entry")
  func withoutKey() {
    #expect(scope.explain(\.three).entries.isEmpty)
  }

  private final class Text: Sendable {
    let text: String
    init(_ text: String) { self.text = text }
  }

  @Test("each way to override records its own place")
  func places() {
    let first: UInt = #line + 1
    let closure = scope.with {
      $0.a = 1
      $0.b = 2
    }
    #expect(closure.explain().entries.map(\.place?.line) == [first, first])
    scope.run {
      let second: UInt = #line + 1
      withDependencies {
        $0.a = 3
      } operation: {
        #expect(DependencyScope.current.explain().entries.map(\.place?.line) == [second])
      }
    }
  }

  @Test("a scope that overrides again what another one did is listed, too")
  func scopeThatReplaces() {
    let outer = scope.with { ($0.a, $0.b) = (1, 2) }
    let inner = outer.with { $0.a = 3 }
    #expect(inner.explain().scopes.count == 2)
  }

  @Test("an asynchronous scope records its place, and its scopes are listed from the outside")
  func scopes() async {
    await scope.run {
      await withDependencies {
        $0.a = 1
      } operation: {
        await Task.yield()
        await withDependencies {
          $0.b = 2
        } operation: {
          await Task.yield()
          let explanation = DependencyScope.current.explain()
          #expect(explanation.scopes.count == 2)
          #expect(explanation.scopes[0].line < explanation.scopes[1].line)
          #expect(explanation.description.contains("built at \(explanation.scopes[0]), then "))
        }
      }
    }
  }

  @Test("without recording, an explanation has values but no places, and says so")
  func unrecorded() throws {
    let scope = DependencyScope.isolated().with(\.a, 5)
    #expect(self.scope.explain().isRecorded)
    let explanation = scope.explain()
    #expect(explanation.entries.map(\.value) == ["5"])
    #expect(explanation.entries.allSatisfy { $0.place == nil } && !explanation.isRecorded)
    #expect(explanation.description.contains("startRecording()"))
  }

  @Test("recording starts on demand, even in a release build, for overrides set from then on")
  func startRecording() {
    DependencyScope.isolated().with(\.a, 1).run {
      let before = DependencyScope.current
      Dependencies.startRecording()
      #expect(before.explain().entries.map(\.place) == [nil])
      #expect(before.with(\.a, 2).explain().entries.allSatisfy { $0.place != nil })
      Dependencies.setGlobally { $0.b = 2 }
      #expect(DependencyScope.current.explain(\.b).entries[0].place != nil)
    }
  }

  @Test("the process's store records from a call at start-up on, also outside any scope")
  func process() async {
    await #expect(processExitsWith: .success) {
      Dependencies.startRecording()
      await Task.detached {
        withDependencies {
          $0.a = 1
        } operation: {
          precondition(DependencyScope.current.explain().entries[0].place != nil)
          precondition(DependencyScope.current.explain().scopes.count == 1)
        }
      }.value
      precondition(DependencyScope.root.with(\.a, 1).explain().entries[0].place != nil)
    }
  }

  @Test("a computed property has an entry for each key that it reads")
  func computed() {
    #expect(scope.with(\.a, 5).explain(\.sum).entries.map(\.value) == ["5", "2"])
    #expect(scope.explain(\.double).entries.map { "\($0.key)" } == ["DoubleKey"])
  }

  @Test("an owner's override names the place where its owner began")
  func resource() throws {
    let owner = OverrideOwner(at: SourcePlace(fileID: "A/B.swift", line: 7)) { _ in }
    let entry = try #require(
      scope.with([.make(TestKey.self, 1, owner: owner)]).explain().entries.first)
    #expect(entry.lifetime?.description == "A/B.swift:7")
    #expect(entry.description.contains("opened by the `withResources` at A/B.swift:7"))
  }
}

private enum TestKey: DependencyKey {
  static var defaultValue: Int { 0 }
}

private enum AliasedTestKey: DependencyKey {
  static var defaultValue: Int { 0 }
}

private enum UnreadKey: DependencyKey {
  static var defaultValue: Int { 0 }
}

private enum Unsuffixed: DependencyKey {
  static var defaultValue: Int { 0 }
}

extension Dependencies {
  fileprivate var test: Int {
    get { self[TestKey.self] }
    set { self[TestKey.self] = newValue }
  }

  fileprivate var aliasedTest: Int {
    get { self[AliasedTestKey.self] }
    set { self[AliasedTestKey.self] = newValue }
  }

  fileprivate var three: Int { 3 }

  /// Used by one test only.
  fileprivate var onlyExplained: Int { self[OnlyExplainedKey.self] }
}

private enum OnlyExplainedKey: DependencyKey {
  static var defaultValue: Int { 0 }
}
