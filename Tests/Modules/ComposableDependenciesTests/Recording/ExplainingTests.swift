import ComposableDependencies
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
    #expect(["a", "AKey"].contains(entry.name))  // Linux doesn't know the names of properties.
    #expect(entry.place?.line == line)
    #expect(entry.place?.fileID.hasSuffix("ExplainingTests.swift") == true)
    #expect(entry.shadowed.map(\.place?.line) == [line])
    #expect(entry.defaultName == "AKey.defaultValue")
    #expect(inner.explain().entries.map(\.description) == [entry.description])
  }

  @Test("rule 36: the first line is what a read returns, whatever provides the value")
  func firstLine() {
    #expect(firstLine(of: scope).hasSuffix(" = AKey.defaultValue"))
    scope.run { Dependencies.set { $0.a = 7 } }
    #expect(firstLine(of: scope).hasSuffix("= 7"))
    #expect(firstLine(of: scope.with(\.a, 8)).hasSuffix(" = 8"))
    scope.run { Dependencies.alias(\.a, to: \.b) }
    let aliased = scope.with(\.b, 9)
    #expect(firstLine(of: aliased).hasSuffix(" = 9"))
  }

  private func firstLine(of scope: DependencyScope) -> String {
    scope.explain(\.a).entries[0].description.split(separator: "\n").map(String.init)[0]
  }

  @Test("a global value has the place of the call that set it, and an override shadows it")
  func globalValue() throws {
    scope.run { Dependencies.set { $0.a = 7 } }; let line: UInt = #line
    let entry = try #require(scope.explain(\.a).entries.first)
    #expect(entry.source == .globalValue && entry.value == "7" && entry.place?.line == line)
    let shadowed = try #require(scope.with(\.a, 8).explain(\.a).entries.first?.shadowed.first)
    #expect(shadowed.source == .globalValue && shadowed.value == "7")
    #expect(shadowed.place?.line == line)
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

  @Test("aliased dependencies share an entry, which names the others")
  func aliases() throws {
    scope.run { Dependencies.alias(\.a, to: \.b) }
    let entry = try #require(scope.with(\.a, 5).explain().entries.first)
    #expect(scope.with(\.a, 5).explain().entries.count == 1)
    #expect(entry.value == "5" && entry.aliases.count == 1)
    #expect(entry.defaultName == "BKey.defaultValue")
  }

  @Test("without recording, an explanation has values but no places, and says so")
  func unrecorded() throws {
    let scope = DependencyScope.isolated().with(\.a, 5)
    let explanation = scope.explain()
    #expect(explanation.entries.map(\.value) == ["5"])
    #expect(explanation.entries.allSatisfy { $0.place == nil } && !explanation.isRecorded)
    #expect(explanation.description.contains("startRecording()"))
  }

  @Test("recording starts on demand, also in a release build, for scopes made from then on")
  func startRecording() {
    DependencyScope.isolated().run {
      let before = DependencyScope.current
      Dependencies.startRecording()
      #expect(before.with(\.a, 1).explain().entries.map(\.place) == [nil])
      Dependencies.set { $0.b = 2 }
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
    #expect(scope.with(\.a, 5).explain(\.sum).entries.map(\.value) == ["5", nil])
    #expect(scope.explain(\.double).entries.map { "\($0.key)" } == ["DoubleKey"])
  }

  @Test("a place follows its override into other scopes, tables and copies")
  func copies() throws {
    let scope = scope.with(\.a, 1); let line: UInt = #line
    let members = ManyKeys.first(100)
    let large = members.reduce(scope) { $0.with($1, 1) }
    #expect(large.a == 1)
    #expect(large.explain(\.a).entries[0].place?.line == line)
    #expect(scope.with(\.b, 2).explain(\.a).entries[0].place?.line == line)
  }

  @Test("an owner's override names the place where its owner began")
  func resource() throws {
    final class Owner: OverrideOwner {
      let end = OverrideEnd()
      let place: ComposableDependencies.SourceLocation? = .init(fileID: "A/B.swift", line: 7)
      func reportRead(of key: any DependencyKey.Type) {}
    }
    let entry = try #require(scope.with(TestKey.self, 1, owner: Owner()).explain().entries.first)
    #expect(entry.lifetime?.description == "A/B.swift:7")
    #expect(entry.description.contains("opened by the `withResources` at A/B.swift:7"))
  }
}

private enum TestKey: DependencyKey {
  static var defaultValue: Int { 0 }
}
