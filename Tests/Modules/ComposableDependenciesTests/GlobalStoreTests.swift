import Synchronization
import TestSupport
import Testing

@testable import ComposableDependencies

@Suite("Global store")
struct GlobalStoreTests {
  @Test("rule 9: a global value is seen by scopes and dependencies captured before")
  func liveValues() {
    let scope = DependencyScope.isolated()
    let overriding = scope.with(\.a, 10)
    let dependency = scope.run { Dependency(\.a) }
    scope.setGlobally(\.a, 20)
    #expect((scope.a, overriding.a, dependency.wrappedValue) == (20, 10, 20))
    overriding.setGlobally(\.a, 21)
    #expect((scope.a, overriding.a, dependency.wrappedValue) == (21, 10, 21))
    #expect(scope.sum == 23)
  }

  @Test("rule 9: the last of many threads' values wins, and no reader sees a torn one")
  func manyThreads() async {
    let scope = DependencyScope.isolated()
    scope.setGlobally(\.pair, Pair(0))
    await withTaskGroup { group in
      for writer in 0..<4 {
        group.addTask {
          for value in 0..<500 { scope.setGlobally(\.pair, Pair(writer * 1000 + value)) }
        }
        group.addTask {
          for _ in 0..<500 {
            let pair = scope.pair
            #expect(pair.isWhole)
          }
        }
      }
    }
    #expect((0..<4).map { Pair($0 * 1000 + 499) }.contains(scope.pair))
    await Task.detached { scope.setGlobally(\.pair, Pair(5)) }.value
    #expect(scope.pair == Pair(5))
  }

  @Test("rule 9: a value set globally, or for an aliased key, is read outside any scope")
  func readOutsideAnyScope() async {
    enum OutsideKey: DependencyKey { static var defaultValue: Int { 1 } }
    enum OtherKey: DependencyKey { static var defaultValue: Int { 2 } }
    await Task.detached {
      #expect(DependencyScope.current[OutsideKey.self] == 1)
      Dependencies.setGlobally { $0[OutsideKey.self] = 7 }
      #expect(DependencyScope.current[OutsideKey.self] == 7)
      #expect(DependencyScope.current[OtherKey.self] == 2)
    }.value
  }

  @Test("rule 10: values written to one store are never visible through another")
  func isolation() {
    let (one, other) = (DependencyScope.isolated(), DependencyScope.isolated())
    one.setGlobally(\.a, 10)
    one.alias(\.b, to: \.a, fileID: #fileID, line: #line)
    other.setGlobally(\.a, 20)
    #expect((one.a, one.b) == (10, 10))
    #expect((other.a, other.b) == (20, 2))
    #expect((DependencyScope.root.a, DependencyScope.root.b) == (1, 2))
  }

  @Test("rule 10: a task that escapes its isolated scope still reads its store")
  func escapingTask() async {
    let (isReady, task) = DependencyScope.isolated().run {
      let (isReady, ready) = AsyncStream.makeStream(of: Void.self)
      let task = Task {
        for await _ in isReady {}
        return DependencyScope.current.a
      }
      DependencyScope.current.setGlobally(\.a, 10)
      return (ready, task)
    }
    isReady.finish()
    #expect(await task.value == 10)
    #expect(DependencyScope.current.a == 1)
  }

  @Test("rule 9: values that are set together are visible together")
  func setTogether() {
    /// Reads whenever something is set.
    final class Reader: KeyListener {
      let scope: DependencyScope
      let reads = Mutex<[[Int]]>([])
      init(_ scope: DependencyScope) { self.scope = scope }

      func keysDidChange(
        _ keys: Set<ObjectIdentifier>?, _ source: @Sendable (any DependencyKey.Type) -> ValueSource
      ) {
        let read = [scope.a, scope.b]
        reads.withLock { $0.append(read) }
      }
    }
    let scope = DependencyScope.isolated()
    let reader = Reader(scope)
    scope.node.store.listen { reader }
    scope.setGlobally { ($0.a, $0.b) = (10, 20) }
    #expect(reader.reads.withLock { $0 } == [[10, 20]])
  }

  @Test("a global value that is replaced or removed can read dependencies in its deinit")
  func valuesReadOnDeinit() {
    let scope = DependencyScope.isolated()
    let reads = Mutex<[Int]>([])
    let farewell = { Tracked { reads.withLock { $0.append(scope.a) } } }
    scope.setGlobally(\.a, 40)
    scope.setGlobally(\.farewell, farewell())
    scope.setGlobally(\.farewell, farewell())
    scope.run { Dependencies.resetGlobalValues() }
    #expect(reads.withLock { $0 } == [40, 1])
  }

  #if !DEBUG  // Unoptimized, taking a lock allocates.
    @Test(
      "replaced global values, and aliases of temporary key paths, leak no memory",
      .enabled(if: Allocations.areCounted))
    func memoryIsFlat() {
      let scope = DependencyScope.isolated()
      func blocks(after count: Int) -> Int {
        Allocations {
          for number in 0..<count {
            scope.setGlobally(\.a, number)
            scope.alias(\.[captured: [number]], to: \.b, fileID: #fileID, line: #line)
          }
        }.remaining
      }
      _ = blocks(after: 1_000)
      #expect(blocks(after: 10_000) < 500)
    }
  #endif
}

extension Dependencies {
  fileprivate subscript(captured numbers: [Int]) -> Int {
    get { self[CapturedKey.self] }
    set { self[CapturedKey.self] = newValue }
  }
}

private enum CapturedKey: DependencyKey {
  static var defaultValue: Int { 0 }
}

private struct Pair: Equatable {
  let values: [Int]
  init(_ value: Int) { values = [value, value] }
  var isWhole: Bool { values[0] == values[1] }
}

private enum PairKey: DependencyKey {
  static let defaultValue = Pair(0)
}

private enum FarewellKey: DependencyKey {
  static let defaultValue: Tracked? = nil
}

extension Dependencies {
  fileprivate var pair: Pair {
    get { self[PairKey.self] }
    set { self[PairKey.self] = newValue }
  }

  fileprivate var farewell: Tracked? {
    get { self[FarewellKey.self] }
    set { self[FarewellKey.self] = newValue }
  }
}
