import Foundation
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

  @Test(
    "rule 9: the last of many threads' values wins, and no reader sees a torn one",
    arguments: [1, 16])
  func manyThreads(copies: Int) async {
    let scope = DependencyScope(copies: copies)
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

  @Test("rule 9: no thread sees a new value while another one still reads the old")
  func valuesChangeAtOnce() {
    let scope = DependencyScope(copies: 16)
    let copies = unsafe scope.node.store.copies
    let isSet = DispatchSemaphore(value: 0)
    unsafe copies[15].state.withLock { _ in
      Thread {
        scope.setGlobally { $0.a = 10 }
        isSet.signal()
      }.start()
      // The setter comes to the last copy but one, and then waits for the last.
      while unsafe copies[14].state.withLockIfAvailable({ $0.values.isEmpty }) ?? false {}
      #expect(unsafe copies[0].state.withLockIfAvailable { _ in } == nil)
    }
    isSet.wait()
    #expect(scope.a == 10)
  }

  @Test("rule 9: threads that read global values do not wait for each other")
  func readersDoNotWaitForEachOther() {
    let scope = DependencyScope(copies: 16)
    scope.setGlobally(\.a, 10)
    // A copy that is locked stops the threads that use it, and no others.
    let read = DispatchSemaphore(value: 0)
    unsafe scope.node.store.copies[0].state.withLock { _ in
      for _ in 0..<64 {
        Thread {
          _ = scope.a
          read.signal()
        }.start()
      }
      for _ in 0..<32 { read.wait() }
    }
    for _ in 32..<64 { read.wait() }
    #expect(scope.a == 10)
  }

  @Test("rule 10: nothing written to one store is seen through another")
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

  @Test("reset sets the current store back to defaults, and keeps its aliases")
  func reset() {
    let scope = DependencyScope.isolated()
    let other = DependencyScope.isolated()
    other.setGlobally(\.a, 30)
    scope.alias(\.b, to: \.a, fileID: #fileID, line: #line)
    scope.setGlobally(\.a, 20)
    scope.with(\.c, 5).run {
      Dependencies.reset()
      #expect(DependencyScope.current.c == 5)
    }
    #expect((scope.a, scope.b) == (1, 1))
    #expect(other.a == 30)
  }

  @Test("clearAliases forgets the aliases of the current store, and keeps its values")
  func clearAliases() {
    let scope = DependencyScope.isolated()
    scope.setGlobally(\.b, 20)
    scope.alias(\.b, to: \.a, fileID: #fileID, line: #line)
    #expect((scope.a, scope.b) == (20, 20))
    scope.run { Dependencies.clearAliases() }
    #expect((scope.a, scope.b) == (1, 20))
  }

  @Test("what a global value replaces may read dependencies while it is freed")
  func replacedValueReadsOnDeinit() {
    let scope = DependencyScope.isolated()
    let read = Mutex(0)
    scope.setGlobally(\.a, 40)
    scope.setGlobally(\.farewell, Farewell { read.withLock { $0 = scope.a } })
    scope.setGlobally(\.farewell, nil)
    #expect(read.withLock { $0 } == 40)
  }
}

extension DependencyScope {
  /// A scope over a store of its own, as the process's is with sixteen copies.
  fileprivate init(copies: Int) {
    let store = GlobalStore(usesTestValues: false, copies: copies)
    self.init(node: OverrideNode(table: OverrideTable(store: store)))
  }
}

private struct Pair: Equatable {
  let values: [Int]
  init(_ value: Int) { values = [value, value] }
  var isWhole: Bool { values[0] == values[1] }
}

private enum PairKey: DependencyKey {
  static let defaultValue = Pair(0)
}

private final class Farewell: Sendable {
  let say: @Sendable () -> Void
  init(_ say: @escaping @Sendable () -> Void) { self.say = say }
  deinit { say() }
}

private enum FarewellKey: DependencyKey {
  static let defaultValue: Farewell? = nil
}

extension Dependencies {
  fileprivate var pair: Pair {
    get { self[PairKey.self] }
    set { self[PairKey.self] = newValue }
  }

  fileprivate var farewell: Farewell? {
    get { self[FarewellKey.self] }
    set { self[FarewellKey.self] = newValue }
  }
}
