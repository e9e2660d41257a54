extension AsyncSequence {
  /// The same elements, each produced in a scope, not in the one of whoever iterates.
  ///
  /// What a sequence runs to produce an element, the closure of a `map` say, runs in the task that
  /// asks for it, and so in that task's scope. With this it runs in the scope that is named.
  ///
  /// ```swift
  /// lines.map { DependencyScope.current.parser.parse($0) }.scoped(to: .current)
  /// ```
  public func scoped(to scope: DependencyScope) -> ScopedAsyncSequence<Self> {
    ScopedAsyncSequence(base: self, scope: scope)
  }
}

/// A sequence whose elements are produced in a scope; made by ``_Concurrency/AsyncSequence/scoped(to:)``.
public struct ScopedAsyncSequence<Base: AsyncSequence>: AsyncSequence {
  /// What the base sequence gives.
  public typealias Element = Base.Element
  /// What the base sequence throws.
  public typealias Failure = Base.Failure

  let base: Base
  let scope: DependencyScope

  /// Makes the base sequence's iterator, in the scope.
  public func makeAsyncIterator() -> Iterator {
    scope.run { Iterator(base: base.makeAsyncIterator(), scope: scope) }
  }

  /// Iterates over the base sequence, in the scope.
  public struct Iterator: AsyncIteratorProtocol {
    var base: Base.AsyncIterator
    let scope: DependencyScope

    /// The base sequence's next element, produced in the scope.
    public mutating func next() async throws(Failure) -> Element? {
      try await next(isolation: nil)
    }

    /// The base sequence's next element, produced in the scope.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws(Failure) -> Element? {
      try await scope.run { () async throws(Failure) -> Element? in
        try await base.next(isolation: actor)
      }
    }
  }
}

extension ScopedAsyncSequence: Sendable where Base: Sendable {}

@available(*, unavailable)
extension ScopedAsyncSequence.Iterator: Sendable {}
