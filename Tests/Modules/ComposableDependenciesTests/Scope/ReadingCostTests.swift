// An unoptimized build retains more, to no purpose.
#if !DEBUG
  import ComposableDependencies
  import DependencyDebugging
  import TestSupport
  import Testing

  @Suite("Costs of reading", .enabled(if: Retains.areCounted))
  struct ReadingCostTests {
    @Test(
      "a read retains one object or a few, whatever the number of overrides",
      arguments: [0, 1, 10, 100, 1_000])
    func retains(count: Int) {
      // Not the process's store, which another test may watch.
      let other = DependencyScope.isolated()
      let scope = ManyKeys.first(count).reduce(other.with(\.a, 10)) { $0.with($1, 1) }
      scope.run {
        let (override, another) = (Dependency(\.a), Dependency(\.b))
        expectRetains(atMost: 1) { _ = override.wrappedValue }
        expectRetains(atMost: 2) { _ = DependencyScope.current.a }
        expectRetains(atMost: 2) { _ = scope.a }
        expectRetains(atMost: 2) { _ = another.wrappedValue }
        expectRetains(atMost: 3) { _ = DependencyScope.current.b }
        expectRetains(atMost: 3) { _ = scope.b }
        expectRetains(atMost: 3) { other.run {} }
        expectRetains(atMost: 5) { _ = other.b }
      }
    }

    @Test("a read or an override costs the same, whatever is aliased, set or recorded elsewhere")
    func unaffectedKeys() async {
      // In a process of its own, because the features change its global store.
      await #expect(processExitsWith: .success) {
        let members = ManyKeys.first(200)
        let features: [() -> Void] = [
          {
            for (member, target) in zip(members, members.dropFirst(100)) {
              DependencyScope.root.alias(
                \.[member: member], to: \.[member: target], fileID: #fileID, line: #line)
            }
          },
          { for member in members { DependencyScope.root.setGlobally(\.[member: member], 1) } },
          { DependencyScope.isolated().run { Dependencies.startRecording() } },
        ]
        let scopes = CostScopes()
        let before = scopes.costs
        for use in features {
          use()
          precondition(scopes.costs == before)
          precondition(CostScopes().costs == before, "in scopes that are created later")
        }
      }
    }

    private func expectRetains(
      atMost limit: Int, sourceLocation: Testing.SourceLocation = #_sourceLocation,
      _ operation: () -> Void
    ) {
      operation()  // instantiates key paths and metadata, once in the process
      // The runtime retains beside it at times.
      let counts = (0..<5).map { _ in Retains.count(in: operation) }
      #expect(counts.min()! <= limit, sourceLocation: sourceLocation)
    }
  }

  /// Scopes in which a key is read that no other feature uses.
  private struct CostScopes {
    private let overriding = DependencyScope.root.with(\.a, 10)
    private let other = DependencyScope.root.with(\.c, 10)

    struct Costs: Equatable {
      let allocations: [Allocations]
      let retains: [Int]
    }

    var costs: Costs {
      Costs(
        allocations: [
          Allocations.fewest { _ = overriding.with(\.a, 20) },
          Allocations.fewest { _ = overriding.a },
          Allocations.fewest { _ = other.a },
        ],
        retains: [
          retains { _ = overriding.a },
          retains { _ = other.a },
          other.run { retains { _ = DependencyScope.current.a } },
        ])
    }

    private func retains(_ operation: () -> Void) -> Int {
      (0..<10).map { _ in Retains.count(in: operation) }.min()!
    }
  }
#endif
