extension AsyncSequence {
  /// Returns a sequence that produces the same elements in a given scope.
  ///
  /// A sequence produces its elements, for example with the closure of a `map`, in the task that
  /// iterates, and so in that task's scope. The returned sequence produces them in `scope` instead.
  ///
  /// ```swift
  /// lines.map { DependencyScope.current.parser.parse($0) }.scoped(to: .current)
  /// ```
  public func scoped(to scope: DependencyScope) -> ScopedAsyncSequence<Self> {
    ScopedAsyncSequence(base: self, scope: scope)
  }
}

/// A sequence whose elements are produced in a scope, created by
/// ``_Concurrency/AsyncSequence/scoped(to:)``.
public struct ScopedAsyncSequence<Base: AsyncSequence>: AsyncSequence {
  /// The element type of the base sequence.
  public typealias Element = Base.Element
  /// The error type of the base sequence.
  public typealias Failure = Base.Failure

  let base: Base
  let scope: DependencyScope

  /// Creates the base sequence's iterator, in the scope.
  public func makeAsyncIterator() -> Iterator {
    scope.run { Iterator(base: base.makeAsyncIterator(), scope: scope) }
  }

  /// An iterator over the base sequence, in the scope.
  public struct Iterator: AsyncIteratorProtocol {
    var base: Base.AsyncIterator
    let scope: DependencyScope

    /// Produces the base sequence's next element in the scope.
    public mutating func next() async throws(Failure) -> Element? {
      try await next(isolation: #isolation)
    }

    /// Produces the base sequence's next element in the scope.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws(Failure) -> Element? {
      try await scope.enter { () async throws(Failure) -> Element? in
        try await base.next(isolation: actor)
      }
    }
  }
}

extension ScopedAsyncSequence: Sendable where Base: Sendable {}

@available(*, unavailable)
extension ScopedAsyncSequence.Iterator: Sendable {}
