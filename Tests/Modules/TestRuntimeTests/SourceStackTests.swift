import Foundation
import Synchronization
import TestSupport
import Testing

@testable import TestRuntime

@Suite("A stack with places in the source")
struct SourceStackTests {
  /// Whether this build has places, which take debug information.
  private static let hasPlaces = SourceStack.capture()?.caller != nil

  private func stack() -> SourceStack? { SourceStack.capture() }

  @Test("begins with the caller, and not with a function of the package", .enabled(if: hasPlaces))
  func caller() {
    let (stack, line) = (stack(), #line)
    let frames = stack?.frames ?? []
    #expect(frames.first?.path.hasSuffix("SourceStackTests.swift") == true)
    #expect(frames.contains { $0.description == "SourceStackTests.swift:\(line)" })
  }

  @Test("of a task that yields has the functions that wait", .needsYields, .enabled(if: hasPlaces))
  func asynchronous() async {
    final class Executor: TaskExecutor {
      let stacks = Mutex<[SourceStack]>([])
      func enqueue(_ job: consuming ExecutorJob) {
        if let stack = SourceStack.capture() { stacks.withLock { $0.append(stack) } }
        let job = UnownedJob(job)
        // Sound: the test keeps the executor until its task has ended.
        Task.detached { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
      }
    }
    let executor = Executor()
    let inner = #line + 1
    @concurrent @Sendable func yield() async { await Task.yield() }
    let outer = #line + 1
    await Task(executorPreference: executor) { await yield() }.value
    let lines = executor.stacks.withLock { $0 }.map { $0.frames.map(\.line) }
    // In an optimized build, the inner one is a part of the outer one.
    #if DEBUG
      #expect(lines.contains { $0.contains(inner) && $0.contains(outer) }, "\(lines)")
    #else
      #expect(lines.contains { $0.contains(outer) }, "\(lines) \(inner)")
    #endif
  }

  @Test("can be captured where a task lets go of what its closure has captured")
  func released() async {
    final class Object: Sendable {
      let stack: Shared<SourceStack?>
      init(_ stack: Shared<SourceStack?>) { self.stack = stack }
      func use(_ number: Int = 0) async { await Task.yield() }
      deinit { stack.update { $0 = SourceStack.capture() } }
    }
    let stack = Shared<SourceStack?>(nil)
    for number in 0..<10 {
      let (object, numbers) = (Object(stack), [number])
      await Self.run { [object] in
        await object.use()
        await object.use(numbers[0])
      }
      await withTaskGroup { group in
        let object = Object(stack)
        for number in 0..<3 { group.addTask { await object.use(number) } }
      }
    }
    #expect((stack.value != nil) == (SourceStack.capture() != nil))
  }

  private static func run(_ operation: @escaping @Sendable () async -> Void) async {
    await Task { await operation() }.value
  }

  @Test("can be captured where code in C calls, which uses the register of frames as it likes")
  func calledByC() {
    let (count, calls) = (1000, Shared(0))
    Self.$calls.withValue(calls) {
      var numbers = (0..<count).map { Int32($0 * 7919 % count) }
      unsafe qsort(&numbers, count, MemoryLayout<Int32>.size) { one, two in
        if Self.calls.value < 100 { _ = SourceStack.capture() }
        Self.calls.update { $0 += 1 }
        return unsafe one!.load(as: Int32.self) - two!.load(as: Int32.self)
      }
    }
    #expect(calls.value >= 100)
  }

  @TaskLocal private static var calls = Shared(0)

  @Test("knows the package's modules")
  func modules() throws {
    var root = URL(filePath: #filePath)
    while root.lastPathComponent != "Tests" { root.deleteLastPathComponent() }
    let sources = root.deletingLastPathComponent().appending(path: "Sources").path
    let modules = try FileManager.default.contentsOfDirectory(atPath: sources)
    #expect(SourceStack.modules == Set(modules.map { $0[...] }.filter { !$0.hasPrefix(".") }))
  }

  @Test("has as many functions as its limit", .enabled(if: hasPlaces))
  func limited() {
    func call(_ depth: Int) -> SourceStack? {
      let stack = depth == 0 ? SourceStack.capture(limit: 10) : call(depth - 1)
      return withExtendedLifetime(depth) { stack }
    }
    #expect((1..<10).contains(call(100)?.frames.count ?? 0))
  }
}
