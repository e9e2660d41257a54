@testable import DependencyDebugging
import Environments
import ComposableDependencies
import ComposableResources
import Synchronization
import TestSupport
import Testing

@Suite("Recorded reads")
struct RecordedReadTests {
  private let scope = DependencyScope.isolated(usingTestValues: false, recordingPlaces: true)

  /// The reads in a scope, as text.
  private func reads(
    in scope: DependencyScope, _ operation: () throws -> Void
  ) rethrows -> [String] {
    let reads = Mutex<[String]>([])
    let end = scope.listenToReads { read in reads.withLock { $0.append(text(read)) } }
    defer { end() }
    try scope.run(operation)
    return reads.withLock { $0 }
  }

  @Test("rule 36: a read is recorded with what provides its value")
  func sources() {
    scope.run { Dependencies.setGlobally { $0.b = 2 } }
    let scope = scope.with(\.a, 1)
    let reads = reads(in: scope) {
      _ = DependencyScope.current.a
      _ = scope.b
      _ = DependencyScope.current.c
    }
    #expect(reads == ["AKey: override", "BKey: global", "CKey: default"])
  }

  @Test("rule 36: what a default reads is charged to the default's key")
  func charges() {
    #expect(
      reads(in: scope) { _ = scope.double } == ["DoubleKey: default", "AKey: default of DoubleKey"])
    let overridden = scope.with(\.a, 1)
    #expect(
      reads(in: overridden) { _ = DependencyScope.current.double }
        == ["DoubleKey: default", "AKey: override of DoubleKey"])
  }

  private enum UpdatingKey: DependencyKey {
    static var defaultValue: Int { DependencyScope.current.with(\.a, 3).a }
  }

  private static let gate = Gate()

  private enum TaskKey: DependencyKey {
    static var defaultValue: Task<Int, Never> {
      Task {
        await gate.wait()
        return DependencyScope.current.a
      }
    }
  }

  @Test("a task that a default has started isn't charged to it once it is computed")
  func taskOfDefault() async {
    let reads = Mutex<[String]>([])
    let end = scope.listenToReads { read in reads.withLock { $0.append(text(read)) } }
    let task = scope.run { DependencyScope.current[TaskKey.self] }
    Self.gate.open()
    _ = await task.value
    end()
    #expect(reads.withLock { $0.last } == "AKey: default")
  }

  @Test("a default that an update replaces doesn't count as read in another default, either")
  func replacedInDefault() {
    let reads = reads(in: scope) { _ = DependencyScope.current[UpdatingKey.self] }
    #expect(reads == ["UpdatingKey: default", "AKey: override of UpdatingKey"])
  }

  @Test("an update of one store doesn't keep the reads of another")
  func otherStore() {
    let other = DependencyScope.isolated(usingTestValues: false, recordingPlaces: true)
    var readsOfOther: [String] = []
    let reads = reads(in: scope) {
      readsOfOther = self.reads(in: other) { _ = scope.with { $0.b = other.c } }
    }
    #expect(reads == [])
    #expect(readsOfOther == ["CKey: default"])
  }

  @Test("a default that an update reads and replaces doesn't count as read")
  func replaced() {
    let reads = reads(in: scope) {
      _ = scope.with(\.a, 1)
      _ = scope.with(\.double, 1)
      _ = scope.with { $0.b = $0.c }
    }
    #expect(reads == ["CKey: default"])
  }

  @Test("a default that an update reads in another scope counts if it was overridden before")
  func readElsewhere() {
    let reads = reads(in: scope) {
      _ = scope.with {
        $0.c = 1
        $0.b = DependencyScope.current.c
      }
    }
    #expect(reads == ["CKey: default"])
  }

  @Test("a default that an update reads several times counts once, until the update has ended")
  func readsInUpdates() {
    var escaped: Dependencies?
    let inside = reads(in: scope) {
      _ = scope.with {
        $0.b = $0.c + $0.c
        escaped = $0
      }
    }
    #expect(inside == ["CKey: default"])
    #expect(reads(in: scope) { _ = escaped!.d } == ["DKey: default"])
  }

  @Test(
    "of the defaults that an update reads, those of other keys and in other defaults count, too")
  func differentReadsInUpdates() {
    let reads = reads(in: scope) {
      _ = scope.with { $0.b = $0.c + $0.d + $0.a + $0.double + $0.a + $0.double }
    }
    #expect(
      reads == [
        "CKey: default", "DKey: default", "AKey: default", "DoubleKey: default",
        "AKey: default of DoubleKey",
      ])
  }

  @Test("a lost read in an update counts, although the update has read the same default in a scope")
  func lostReadInUpdate() async {
    await #expect(processExitsWith: .success) {
      let lost = await Task.detached {
        withDependencies({ $0.b = 1 }, operation: { DependencyScope.current })
      }.value
      let reads = Mutex<[String]>([])
      let end = DependencyScope.root.listenToReads { read in
        guard "\(read.key)" == "AKey" else { return }
        let place = read.scope.isOutsideAnyScope ? " outside any scope" : ""
        reads.withLock { $0.append((read.isLost ? "lost" : "in a scope") + place) }
      }
      await Task.detached {
        let outside = DependencyScope.current
        _ = DependencyScope.root.with { $0.c = $0.a + lost.a + outside.a + lost.a + outside.a }
      }.value
      end()
      let expected = ["in a scope", "lost", "lost outside any scope"]
      precondition(reads.withLock { $0 } == expected, "\(reads.withLock { $0 })")
    }
  }

  @Test("a listener hears nothing after its end, and others go on")
  func endOfListening() {
    let scope = DependencyScope.isolated()
    let (first, second) = (Counter(), Counter())
    let endFirst = scope.listenToReads { _ in _ = first.next() }
    let endSecond = scope.listenToReads { _ in _ = second.next() }
    _ = scope.a
    endFirst()
    _ = scope.a
    #expect(scope.isWatched)
    endSecond()
    _ = scope.a
    #expect((first.count, second.count) == (1, 2))
    #expect(!scope.isWatched)
  }

  @Test("where reads are listened to and no places recorded, an override has no place")
  func withoutPlaces() {
    let scope = DependencyScope.isolated()
    let end = scope.listenToReads { _ in }
    defer { end() }
    #expect(scope.with(\.a, 1).explain().entries.map(\.place) == [nil])
  }

  @Test("reads over the process's store are recorded, also outside any scope")
  func outsideAnyScope() async {
    await #expect(processExitsWith: .success) {
      let reads = Mutex<[String]>([])
      Dependencies.setGlobally { $0.b = 2 }
      let end = DependencyScope.root.listenToReads { read in
        reads.withLock { $0.append(text(read)) }
      }
      await Task.detached {
        let scope = DependencyScope.current
        precondition((scope.a, scope.b) == (1, 2))
        for _ in 0..<2 { _ = read(TripleKey.self, in: scope) }
      }.value
      end()
      precondition(
        reads.withLock { $0 } == [
          "AKey: default", "BKey: global", "TripleKey: default", "AKey: default of TripleKey",
          "TripleKey: default", "AKey: default of TripleKey",
        ])
    }
  }

  @Test("rule 36: a default that aliased keys share is recorded as that of their root")
  func aliasedDefault() {
    scope.alias(\.c, to: \.a, fileID: #fileID, line: #line)
    #expect(reads(in: scope) { _ = (scope.c, scope.a) } == ["AKey: default", "AKey: default"])
  }

  @Test("a probe notes each key once, and once more in a default that reads it")
  func probed() {
    let (probe, probed) = scope.probed(countsReads: false)
    for _ in 0..<2 { _ = (probed.a, probed.double) }
    let reads = probe.end().map(text)
    #expect(reads == ["AKey: default", "DoubleKey: default", "AKey: default of DoubleKey"])
  }

  private final class Token: Sendable {}
  private enum TokenKey: DependencyKey { static var defaultValue: Token? { nil } }

  @Test("a probe that ends during a read retains nothing of the scope that was probed")
  func endedDuringARead() {
    weak var token: Token?
    var probed: DependencyScope?
    do {
      let new = Token()
      token = new
      let base = scope.with { $0[TokenKey.self] = new }
      let (probe, scope) = base.probed(countsReads: true)
      probed = scope
      let end = base.listenToReads { _ in probe.end() }
      _ = scope.a
      end()
    }
    withExtendedLifetime(probed) { #expect(token == nil) }
  }

  private enum LibraryKey: UnrecordedKey { static var defaultValue: Int { 1 } }

  @Test("a read after the end of a probe is reported and recorded, except those of the library")
  func readAfterEndOfProbe() {
    let late = Mutex<[String]>([])
    let (probe, probed) = scope.probed(countsReads: false) { key in
      late.withLock { $0.append("\(key)") }
    }
    probe.end()
    #expect(reads(in: scope) { _ = (probed.a, probed[LibraryKey.self]) } == ["AKey: default"])
    #expect(late.withLock { $0 } == ["AKey"])
  }

  @Test("an override knows whether it was read")
  func wasRead() {
    let base = scope
    let scope = base.with(at: .init(fileID: "A", line: 1)) {
      $0.a = 1
      $0.b = 2
    }
    let overrides = scope.origins(addedTo: base).sorted { "\($0.key)" < "\($1.key)" }
    #expect(overrides.map(\.wasRead) == [false, false])
    _ = scope.with(\.c, 1).b
    _ = scope.explain()
    #expect(overrides.map(\.wasRead) == [false, true])
    _ = scope.double
    #expect(overrides.map(\.wasRead) == [true, true])
  }

  @Test("an override of aliased keys is one override")
  func aliasedOverride() {
    scope.alias(\.c, to: \.a, fileID: #fileID, line: #line)
    let overridden = scope.with(at: .init(fileID: "A", line: 1)) { $0.a = 1 }
    #expect(overridden.c == 1)
    #expect(overridden.origins(addedTo: scope).count == 1)
  }

  @Test("a global value knows whether it was read while a listener listened")
  func globalWasRead() throws {
    scope.run { Dependencies.setGlobally { $0.a = 1 } }
    let origin = try #require(scope.globalValues.first?.origin)
    #expect(!origin.wasRead)
    #expect(reads(in: scope) { _ = scope.a } == ["AKey: global"])
    #expect(origin.wasRead)
  }

  @Test("reads are recorded for a listener only, and explaining is no read")
  func silent() {
    let scope = scope.with(\.a, 1)
    #expect(
      reads(in: scope) {
        _ = scope.explain(); _ = scope.explain(\.a); _ = scope.explain(\.b); _ = "\(scope)"
      } == [])
  }
}

private func text(_ read: Read) -> String {
  let source =
    switch read.source {
    case .override: "override"
    case .global: "global"
    case .defaultValue: "default"
    }
  let keys = read.defaults.map { " of \($0)" }.joined()
  return "\(read.key): \(source)\(keys)"
}

private enum TripleKey: SharedKey {
  static func make(_ needs: SharedInputs) -> Int { needs[\.a] * 3 }
}

/// Reads a key as unspecialized code does.
@inline(never)
private func read<Key: DependencyKey>(_ key: Key.Type, in scope: DependencyScope) -> Key.Value {
  scope[key]
}
