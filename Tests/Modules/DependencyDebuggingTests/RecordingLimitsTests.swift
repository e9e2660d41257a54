@testable import DependencyDebugging
import ComposableDependencies
import Synchronization
import TestSupport
import Testing

@Suite("The limits of recording")
struct RecordingLimitsTests {
  private let scope = DependencyScope.isolated(usingTestValues: false, recordingPlaces: true)

  @Test("a huge description is cut, and stays on one line")
  func hugeDescription() throws {
    let text = String(repeating: "line\n", count: 100_000)
    let value = try #require(scope.with(\.name, text).explain().entries.first?.value)
    #expect(value.count <= 201 && value.hasSuffix("…") && !value.contains("\n"))
    #expect(scope.with(\.name, text).description.count < 300)
    let numbers = try #require(
      scope.with { $0[NumbersKey.self] = Array(0..<10_000) }.explain().entries.first?.value)
    #expect(numbers.hasPrefix("[0, 1, 2") && numbers.count <= 201)
  }

  @Test("a description that is written in parts is cut where these are too long together")
  func descriptionInParts() {
    struct Parts: TextOutputStreamable {
      func write<Target: TextOutputStream>(to target: inout Target) {
        for _ in 0..<150 { target.write("ab") }
      }
    }
    #expect(ValueText.of(Parts()) == String(repeating: "ab", count: 100) + "…")
  }

  @Test("a text is described in quotation marks, and anything else without them")
  func quotationMarks() {
    #expect(ValueText.of("a\"b") == "\"a\\\"b\"")
    #expect(ValueText.of("abc".dropFirst()) == "\"bc\"")
    #expect(ValueText.of(Character("a")) == "a")
  }

  @Test("a description that explains its own scope ends")
  func reentrantDescription() {
    let scope = scope.with { $0[Curious.self] = Curious() }
    let value = scope.run { scope.explain().entries.first?.value }
    #expect(value?.contains("Curious") == true)
    scope.run { Dependencies.setGlobally { $0[Curious.self] = Curious() } }
    scope.run { #expect("\(scope)".contains("Curious")) }
  }

  @Test("a description that sets values and aliases doesn't deadlock")
  func writingDescription() {
    let scope = scope.with { $0[Writer.self] = Writer() }
    scope.run {
      #expect(scope.explain().entries.first?.value == "writer")
      #expect(DependencyScope.current.a == 5)
    }
  }

  @Test("a loop of overrides keeps a short history", .enabled(if: Allocations.areCounted))
  func manyOverrides() throws {
    #if DEBUG
      let count = 20_000
    #else
      let count = 1_000_000
    #endif
    var scope = scope.with { $0.a = 0 }
    let allocations = Allocations {
      for number in 1...count { scope = scope.with { $0.a = number } }
    }
    #expect(allocations.remaining < 200)
    let entry = try #require(scope.explain(\.a).entries.first)
    #expect(entry.value == "\(count)")
    #expect(entry.shadowed.count == 8)
    #expect(entry.omittedCount == count - 8)
    #expect(entry.description.contains("and \(count - 8) older"))
    #expect(scope.explain().scopes.count <= 8)
  }
}

private enum NumbersKey: DependencyKey {
  static var defaultValue: [Int] { [] }
}

private struct Curious: DependencyKey, Sendable, CustomStringConvertible {
  static var defaultValue: Curious { Curious() }
  var description: String {
    "Curious about \(DependencyScope.current.explain()) \(DependencyScope.current)"
  }
}

private struct Writer: DependencyKey, Sendable, CustomStringConvertible {
  static var defaultValue: Writer { Writer() }
  var description: String {
    Dependencies.setGlobally { $0.a = 5 }
    Dependencies.alias(\.c, to: \.d)
    return "writer"
  }
}
