import ComposableTesting
import TestSupport
import Testing

/// Forms of closures that can be unimplemented, in place of a client's closures.
private struct Client: Sendable {
  var sync0: @Sendable () -> Int
  var sync5: @Sendable (Int, String, Bool, [Int], Double) -> Int
  var void1: @Sendable (Int) -> Void
  var throwing1: @Sendable (Int) throws -> Int
  var throwingVoid1: @Sendable (Int) throws -> Void
  var async0: @Sendable () async -> Int
  var async5: @Sendable (Int, String, Bool, [Int], Double) async -> Int
  var asyncVoid1: @Sendable (Int) async -> Void
  var asyncThrowing1: @Sendable (Int) async throws -> Int
  var asyncThrowingVoid1: @Sendable (Int) async throws -> Void
  var onMainActor: @MainActor (Int) async throws -> Int
  var concurrent: @concurrent @Sendable (Int) async throws -> Int
  var typed: @Sendable (Int) async throws(CancellationError) -> Int
  var optional: (@Sendable (Int) async -> Int?)?
}

@Suite("Forms of unimplemented closures")
struct UnimplementedFormsTests {
  private let client = Client(
    sync0: unimplemented("sync0", placeholder: 7),
    sync5: unimplemented("sync5", placeholder: 7),
    void1: unimplemented("void1"),
    throwing1: unimplemented("throwing1", placeholder: 7),
    throwingVoid1: unimplemented("throwingVoid1", placeholder: ()),
    async0: unimplemented("async0", placeholder: 7),
    async5: unimplemented("async5", placeholder: 7),
    asyncVoid1: unimplemented("asyncVoid1"),
    asyncThrowing1: unimplemented("asyncThrowing1", placeholder: 7),
    asyncThrowingVoid1: unimplemented("asyncThrowingVoid1", placeholder: ()),
    onMainActor: unimplemented("onMainActor", placeholder: 7),
    concurrent: unimplemented("concurrent", placeholder: 7),
    typed: unimplemented("typed", placeholder: 7),
    optional: unimplemented("optional", placeholder: nil))

  @Test("with a placeholder, all return it, and throw nothing")
  func withPlaceholder() async throws {
    try await fails("sync0", 7) { client.sync0() }
    try await fails("sync5", 7) { client.sync5(1, "", true, [], 0) }
    try await fails("void1") { client.void1(1) }
    try await fails("throwing1", 7) { try client.throwing1(1) }
    try await fails("throwingVoid1") { try client.throwingVoid1(1) }
    try await fails("async0", 7) { await client.async0() }
    try await fails("async5", 7) { await client.async5(1, "", true, [], 0) }
    try await fails("asyncVoid1") { await client.asyncVoid1(1) }
    try await fails("asyncThrowing1", 7) { try await client.asyncThrowing1(1) }
    try await fails("asyncThrowingVoid1") { try await client.asyncThrowingVoid1(1) }
    try await fails("onMainActor", 7) { try await client.onMainActor(1) }
    try await fails("concurrent", 7) { try await client.concurrent(1) }
    try await fails("typed", 7) { try await client.typed(1) }
    try await fails("optional", .some(nil)) { await client.optional?(1) }
  }

  @Test("throwing ones without a placeholder throw")
  func withoutPlaceholder() async throws {
    let sync0: @Sendable () throws -> Int = unimplemented("sync0")
    let void1: @Sendable (Int) throws -> Void = unimplemented("void1")
    let async5: @Sendable (Int, String, Bool, [Int], Double) async throws -> Int =
      unimplemented("async5")
    let asyncVoid1: @Sendable (Int) async throws -> Void = unimplemented("asyncVoid1")
    try await throwsError("sync0") { _ = try sync0() }
    try await throwsError("void1") { try void1(1) }
    try await throwsError("async5") { _ = try await async5(1, "", true, [], 0) }
    try await throwsError("asyncVoid1") { try await asyncVoid1(1) }
  }

  /// Checks that an operation fails the test only over one closure, and what it returns.
  private func fails<Result: Equatable>(
    _ name: String,
    _ placeholder: Result,
    sourceLocation: Testing.SourceLocation = #_sourceLocation,
    _ operation: () async throws -> Result
  ) async throws {
    try await fails(name, sourceLocation: sourceLocation) {
      let result = try await operation()
      #expect(result == placeholder, sourceLocation: sourceLocation)
    }
  }

  private func fails(
    _ name: String,
    sourceLocation: Testing.SourceLocation = #_sourceLocation,
    _ operation: () async throws -> Void
  ) async throws {
    try await expectFailure(sourceLocation: sourceLocation) {
      try await operation()
    } matching: {
      $0.isUnimplemented(name)
    }
  }

  private func throwsError(
    _ name: String,
    sourceLocation: Testing.SourceLocation = #_sourceLocation,
    _ operation: () async throws -> Void
  ) async throws {
    try await fails(name, sourceLocation: sourceLocation) {
      await #expect(throws: UnimplementedError.self, sourceLocation: sourceLocation) {
        try await operation()
      }
    }
  }
}
