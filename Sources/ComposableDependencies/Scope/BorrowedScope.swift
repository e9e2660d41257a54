/// A scope as it is in force, which somebody else keeps: copying it retains nothing.
///
/// For what runs at each action, where counting references costs more than all the rest.
@safe
@usableFromInline
package struct BorrowedScope {
  private let node: Unmanaged<OverrideNode>?

  /// - Parameter scope: As it is in force, and kept for as long as this is used.
  @usableFromInline
  package init(_ scope: DependencyScope) {
    unsafe node = unsafeBitCast(scope.node, to: Unmanaged<OverrideNode>?.self)
  }

  /// The scope, kept.
  @usableFromInline
  package var kept: DependencyScope {
    unsafe DependencyScope(node: node?.takeUnretainedValue())
  }

  @usableFromInline
  package func isSame(as other: BorrowedScope) -> Bool {
    unsafe node?.toOpaque() == other.node?.toOpaque()
  }

  /// Runs an operation in this scope, where it is known which one is in force.
  ///
  /// That costs less than asking the task.
  @_alwaysEmitIntoClient
  package func run<R>(from scopeInForce: BorrowedScope, _ operation: () -> R) -> R {
    if isSame(as: scopeInForce) { return operation() }
    var result: R?
    bind { result = operation() }
    return result!
  }

  @usableFromInline
  func bind(_ operation: () -> Void) {
    guard let node = unsafe node else { return CurrentScope.bind(nil, operation) }
    unsafe node._withUnsafeGuaranteedRef { CurrentScope.bind($0, operation) }
  }
}
