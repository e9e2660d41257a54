import ComposableTesting
import TestSupport
import Testing

/// Every form of closure that can be unimplemented, in place of a client's closures.
private struct Client: Sendable {
  var sync0: @Sendable () -> Int
  var sync1: @Sendable (Int) -> Int
  var sync5: @Sendable (Int, String, Bool, [Int], Double) -> Int
  var void0: @Sendable () -> Void
  var void1: @Sendable (Int) -> Void
  var void5: @Sendable (Int, String, Bool, [Int], Double) -> Void

  var throwing0: @Sendable () throws -> Int
  var throwing5: @Sendable (Int, String, Bool, [Int], Double) throws -> Int
  var throwingVoid1: @Sendable (Int) throws -> Void

  var async0: @Sendable () async -> Int
  var async1: @Sendable (Int) async -> Int
  var async2: @Sendable (Int, String) async -> Int
  var async3: @Sendable (Int, String, Bool) async -> Int
  var async4: @Sendable (Int, String, Bool, [Int]) async -> Int
  var async5: @Sendable (Int, String, Bool, [Int], Double) async -> Int
  var asyncVoid0: @Sendable () async -> Void
  var asyncVoid1: @Sendable (Int) async -> Void
  var asyncVoid5: @Sendable (Int, String, Bool, [Int], Double) async -> Void

  var asyncThrowing0: @Sendable () async throws -> Int
  var asyncThrowing1: @Sendable (Int) async throws -> Int
  var asyncThrowing2: @Sendable (Int, String) async throws -> Int
  var asyncThrowing3: @Sendable (Int, String, Bool) async throws -> Int
  var asyncThrowing4: @Sendable (Int, String, Bool, [Int]) async throws -> Int
  var asyncThrowing5: @Sendable (Int, String, Bool, [Int], Double) async throws -> Int
  var asyncThrowingVoid1: @Sendable (Int) async throws -> Void

  var onMainActor: @MainActor (Int) async throws -> Int
  var concurrent: @concurrent @Sendable (Int) async throws -> Int
  var typed: @Sendable (Int) async throws(CancellationError) -> Int
  var optional: (@Sendable (Int) async -> Int?)?
}

extension Client {
  static let placeholders = Client(
    sync0: unimplemented("sync0", placeholder: 7),
    sync1: unimplemented("sync1", placeholder: 7),
    sync5: unimplemented("sync5", placeholder: 7),
    void0: unimplemented("void0"),
    void1: unimplemented("void1"),
    void5: unimplemented("void5"),
    throwing0: unimplemented("throwing0", placeholder: 7),
    throwing5: unimplemented("throwing5", placeholder: 7),
    throwingVoid1: unimplemented("throwingVoid1", placeholder: ()),
    async0: unimplemented("async0", placeholder: 7),
    async1: unimplemented("async1", placeholder: 7),
    async2: unimplemented("async2", placeholder: 7),
    async3: unimplemented("async3", placeholder: 7),
    async4: unimplemented("async4", placeholder: 7),
    async5: unimplemented("async5", placeholder: 7),
    asyncVoid0: unimplemented("asyncVoid0"),
    asyncVoid1: unimplemented("asyncVoid1"),
    asyncVoid5: unimplemented("asyncVoid5"),
    asyncThrowing0: unimplemented("asyncThrowing0", placeholder: 7),
    asyncThrowing1: unimplemented("asyncThrowing1", placeholder: 7),
    asyncThrowing2: unimplemented("asyncThrowing2", placeholder: 7),
    asyncThrowing3: unimplemented("asyncThrowing3", placeholder: 7),
    asyncThrowing4: unimplemented("asyncThrowing4", placeholder: 7),
    asyncThrowing5: unimplemented("asyncThrowing5", placeholder: 7),
    asyncThrowingVoid1: unimplemented("asyncThrowingVoid1", placeholder: ()),
    onMainActor: unimplemented("onMainActor", placeholder: 7),
    concurrent: unimplemented("concurrent", placeholder: 7),
    typed: unimplemented("typed", placeholder: 7),
    optional: unimplemented("optional", placeholder: nil))
}

@Suite("Forms of unimplemented closures")
struct UnimplementedFormsTests {
  private let client = Client.placeholders

  @Test("synchronous ones")
  func synchronous() async throws {
    try await fails("sync0", 7) { client.sync0() }
    try await fails("sync1", 7) { client.sync1(1) }
    try await fails("sync5", 7) { client.sync5(1, "", true, [], 0) }
    try await fails("void0") { client.void0() }
    try await fails("void1") { client.void1(1) }
    try await fails("void5") { client.void5(1, "", true, [], 0) }
  }

  @Test("throwing ones with a placeholder throw nothing")
  func throwing() async throws {
    try await fails("throwing0", 7) { try client.throwing0() }
    try await fails("throwing5", 7) { try client.throwing5(1, "", true, [], 0) }
    try await fails("throwingVoid1") { try client.throwingVoid1(1) }
    try await fails("typed", 7) { try await client.typed(1) }
  }

  @Test("asynchronous ones")
  func asynchronous() async throws {
    try await fails("async0", 7) { await client.async0() }
    try await fails("async1", 7) { await client.async1(1) }
    try await fails("async2", 7) { await client.async2(1, "") }
    try await fails("async3", 7) { await client.async3(1, "", true) }
    try await fails("async4", 7) { await client.async4(1, "", true, []) }
    try await fails("async5", 7) { await client.async5(1, "", true, [], 0) }
    try await fails("asyncVoid0") { await client.asyncVoid0() }
    try await fails("asyncVoid1") { await client.asyncVoid1(1) }
    try await fails("asyncVoid5") { await client.asyncVoid5(1, "", true, [], 0) }
    try await fails("optional", .some(nil)) { await client.optional?(1) }
  }

  @Test("asynchronous throwing ones with a placeholder throw nothing")
  func asynchronousThrowing() async throws {
    try await fails("asyncThrowing0", 7) { try await client.asyncThrowing0() }
    try await fails("asyncThrowing1", 7) { try await client.asyncThrowing1(1) }
    try await fails("asyncThrowing2", 7) { try await client.asyncThrowing2(1, "") }
    try await fails("asyncThrowing3", 7) { try await client.asyncThrowing3(1, "", true) }
    try await fails("asyncThrowing4", 7) { try await client.asyncThrowing4(1, "", true, []) }
    try await fails("asyncThrowing5", 7) { try await client.asyncThrowing5(1, "", true, [], 0) }
    try await fails("asyncThrowingVoid1") { try await client.asyncThrowingVoid1(1) }
    try await fails("onMainActor", 7) { try await client.onMainActor(1) }
    try await fails("concurrent", 7) { try await client.concurrent(1) }
  }

  @Test("throwing ones without a placeholder throw")
  func withoutPlaceholder() async throws {
    let sync0: @Sendable () throws -> Int = unimplemented("sync0")
    let sync5: @Sendable (Int, String, Bool, [Int], Double) throws -> Int = unimplemented("sync5")
    let void1: @Sendable (Int) throws -> Void = unimplemented("void1")
    let async0: @Sendable () async throws -> Int = unimplemented("async0")
    let async5: @Sendable (Int, String, Bool, [Int], Double) async throws -> Int =
      unimplemented("async5")
    let asyncVoid1: @Sendable (Int) async throws -> Void = unimplemented("asyncVoid1")
    try await throwsError("sync0") { _ = try sync0() }
    try await throwsError("sync5") { _ = try sync5(1, "", true, [], 0) }
    try await throwsError("void1") { try void1(1) }
    try await throwsError("async0") { _ = try await async0() }
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
