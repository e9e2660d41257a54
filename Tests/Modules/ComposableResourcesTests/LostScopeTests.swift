import ComposableDependencies
import ComposableResources
import TestSupport
import Testing

/// Outside any scope, as in a handler that a framework calls on its own thread.
@Suite("Rule 28: lost scopes", .serialized)
struct LostScopeTests {
  private enum Pool: ResourceKey {
    static var defaultValue: Int { 0 }
    static func open(_ needs: ResourceOpening) async throws -> Int { 1 }
    static func close(_ value: Int) async {}
  }

  private enum Transaction: ResourceKey {
    static var defaultValue: Int { 0 }
    static func open(_ needs: ResourceOpening) async throws -> Int { try await needs(Pool.self) }
    static func close(_ value: Int) async {}
  }

  /// Runs an operation outside any scope, and returns the issues that it reports.
  private func issues(
    outsideAnyScope operation: @escaping @Sendable () async throws -> Void
  ) async throws -> [DependencyIssue] {
    try await Task.detached {
      try await TestSupport.issues {
        try await withDependencies {
          $0.opensResourcesInTests = true
        } operation: {
          try await operation()
        }
      }
    }.value
  }

  @Test(
    "rule 28: a second pool is reported, if the code that opens it has lost the first one's scope")
  func reported() async throws {
    let line: UInt = #line + 2
    _ = try await issues {
      try await withResources(Pool.self) {
        let issues = try await self.issues { try await withResources(Transaction.self) {} }
        #expect(
          issues.map(\.problem) == [
            """
            `Pool` is opened once more, although the `withResources` at \(#fileID):\(line) has it open: \
            this code has lost that scope, as threads, queues and detached tasks do.
            """
          ])
        #expect(issues.first?.fileID == #fileID)
        #expect(issues.first?.line == line + 1)
      }
    }
  }

  @Test(
    "rule 28: a resource that is opened in the scope of the first, or on purpose, isn't reported")
  func notReported() async throws {
    _ = try await issues {
      try await withResources(Pool.self) {
        let scope = DependencyScope.current
        let issues = try await self.issues {
          try await scope.run { try await withResources(Transaction.self) {} }
          try await withResources(Pool.self, Transaction.self) {}
          for scope in [DependencyScope.isolated(), .root] {
            try await scope.with(\.opensResourcesInTests, true).run {
              try await withResources(Transaction.self) {}
            }
          }
          try await scope.run {
            async let listed: Void = withResources(Transaction.self) { await yield(10) }
            try await withResources {
              _ = try await DependencyScope.current.open(Transaction.self)
            }
            try await listed
          }
        }
        #expect(issues == [])
      }
    }
  }

  private enum Other: ResourceKey {
    static var defaultValue: Int { 0 }
    static func open(_ needs: ResourceOpening) async throws -> Int { 1 }
    static func close(_ value: Int) async {}
  }

  @Test("rule 28: a pool that only an inner lifetime has isn't reported, which may be one of many")
  func innerLifetime() async throws {
    _ = try await issues {
      try await withResources(Other.self) {
        try await withResources(Pool.self) {
          let issues = try await self.issues { try await withResources(Transaction.self) {} }
          #expect(issues == [])
        }
      }
    }
  }

  @Test("rule 28: what a test opens isn't reported, even if other tests list it")
  func ownResources() async throws {
    let isOpen = Gate()
    let mayEnd = Gate()
    async let other = issues {
      try await withResources(Pool.self) {
        isOpen.open()
        await mayEnd.wait()
      }
    }
    await isOpen.wait()
    let issues = try await TestSupport.issues {
      try await withDependencies {
        $0.opensResourcesInTests = true
      } operation: {
        try await withResources(Transaction.self) {}
      }
    }
    #expect(issues == [])
    mayEnd.open()
    _ = try await other
  }
}
