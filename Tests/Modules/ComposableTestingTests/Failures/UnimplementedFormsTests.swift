import ComposableTesting
import TestSupport
import Testing

@Suite("Forms of unimplemented closures")
struct UnimplementedFormsTests {
  @Test("with a placeholder, all return it, and throw nothing")
  func withPlaceholder() async throws {
    let sync0: @Sendable () -> Int = Dependencies.unimplemented("sync0", placeholder: 7)
    let sync5: @Sendable (Int, String, Bool, [Int], Double) -> Int =
      Dependencies.unimplemented("sync5", placeholder: 7)
    let void1: @Sendable (Int) -> Void = Dependencies.unimplemented("void1")
    let throwing1: @Sendable (Int) throws -> Int = Dependencies.unimplemented(
      "throwing1", placeholder: 7)
    let throwingVoid1: @Sendable (Int) throws -> Void =
      Dependencies.unimplemented("throwingVoid1", placeholder: ())
    let async0: @Sendable () async -> Int = Dependencies.unimplemented("async0", placeholder: 7)
    let async5: @Sendable (Int, String, Bool, [Int], Double) async -> Int =
      Dependencies.unimplemented("async5", placeholder: 7)
    let asyncVoid1: @Sendable (Int) async -> Void = Dependencies.unimplemented("asyncVoid1")
    let asyncThrowing1: @Sendable (Int) async throws -> Int =
      Dependencies.unimplemented("asyncThrowing1", placeholder: 7)
    let asyncThrowingVoid1: @Sendable (Int) async throws -> Void =
      Dependencies.unimplemented("asyncThrowingVoid1", placeholder: ())
    let onMainActor: @MainActor (Int) async throws -> Int =
      Dependencies.unimplemented("onMainActor", placeholder: 7)
    let concurrent: @concurrent @Sendable (Int) async throws -> Int =
      Dependencies.unimplemented("concurrent", placeholder: 7)
    let typed: @Sendable (Int) async throws(CancellationError) -> Int =
      Dependencies.unimplemented("typed", placeholder: 7)
    let optional: (@Sendable (Int) async -> Int?)? = Dependencies.unimplemented(
      "optional", placeholder: nil)
    let failures = try await failures {
      #expect((sync0(), sync5(1, "", true, [], 0)) == (7, 7))
      void1(1)
      #expect(try throwing1(1) == 7)
      try throwingVoid1(1)
      #expect(await async0() == 7)
      #expect(await async5(1, "", true, [], 0) == 7)
      await asyncVoid1(1)
      #expect(try await asyncThrowing1(1) == 7)
      try await asyncThrowingVoid1(1)
      #expect(try await onMainActor(1) == 7)
      #expect(try await concurrent(1) == 7)
      #expect(try await typed(1) == 7)
      #expect(await optional?(1) == .some(nil))
    }
    #expect(
      failures.names == [
        "sync0", "sync5", "void1", "throwing1", "throwingVoid1", "async0", "async5", "asyncVoid1",
        "asyncThrowing1", "asyncThrowingVoid1", "onMainActor", "concurrent", "typed", "optional",
      ])
  }

  @Test("a closure of one's own reports the same")
  func ownClosures() async {
    let echo: @Sendable (Int) -> Int = {
      Dependencies.reportUnimplemented("echo")
      return $0
    }
    let typed: @Sendable () throws(CancellationError) -> Int = { () throws(CancellationError) in
      Dependencies.reportUnimplemented("typed")
      throw CancellationError()
    }
    let apply: @Sendable ((Int) -> Int) -> Int = { function in
      Dependencies.reportUnimplemented("apply")
      return function(1)
    }
    let failures = await failures {
      #expect(echo(7) == 7)
      #expect(throws: CancellationError.self) { try typed() }
      #expect(apply { $0 + 1 } == 2)
    }
    #expect(failures.names == ["echo", "typed", "apply"])
  }

  @Test("throwing ones without a placeholder throw")
  func withoutPlaceholder() async {
    let sync0: @Sendable () throws -> Int = Dependencies.unimplemented("sync0")
    let void1: @Sendable (Int) throws -> Void = Dependencies.unimplemented("void1")
    let async5: @Sendable (Int, String, Bool, [Int], Double) async throws -> Int =
      Dependencies.unimplemented("async5")
    let asyncVoid1: @Sendable (Int) async throws -> Void = Dependencies.unimplemented("asyncVoid1")
    let failures = await failures {
      #expect(throws: DependencyIssue.self) { try sync0() }
      #expect(throws: DependencyIssue.self) { try void1(1) }
      await #expect(throws: DependencyIssue.self) { try await async5(1, "", true, [], 0) }
      await #expect(throws: DependencyIssue.self) { try await asyncVoid1(1) }
    }
    #expect(failures.names == ["sync0", "void1", "async5", "asyncVoid1"])
  }
}

extension [Failure] {
  /// The names of the unimplemented closures that failed the test; otherwise the messages.
  fileprivate var names: [String] {
    map { failure in
      failure.message.firstMatch(of: /\s`(\w+)` was used, but/).map { String($0.1) }
        ?? failure.message
    }
  }
}
