// An unoptimized build retains more, to no purpose.
#if !DEBUG
  import ComposableDependencies
  import TestSupport
  import Testing

  @Suite("Costs of reading", .enabled(if: Retains.areCounted))
  struct ReadingCostTests {
    @Test(
      "a read retains one object or a few, whatever the number of overrides",
      arguments: [0, 1, 10, 100, 1_000])
    func retains(count: Int) {
      let other = DependencyScope.root
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

    private func expectRetains(
      atMost limit: Int, sourceLocation: Testing.SourceLocation = #_sourceLocation,
      _ operation: () -> Void
    ) {
      operation()  // instantiates key paths and metadata, once in the process
      #expect(Retains.count(in: operation) <= limit, sourceLocation: sourceLocation)
    }
  }
#endif
