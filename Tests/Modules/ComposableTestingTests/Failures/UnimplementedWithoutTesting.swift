import ComposableTesting

// This file doesn't import Testing, like a client's file of test values.

enum WithoutTesting {
  static let fetch: @Sendable (Int) -> String = Dependencies.unimplemented("fetch", placeholder: "")
  static let load: @Sendable () async throws -> Int = Dependencies.unimplemented("load")
  static let clock = UnimplementedClock("clock")
}
