/// A scope that something else keeps alive, so that copying it retains nothing.
///
/// For code that runs at each action, where reference counting costs more than everything else.
@usableFromInline
package struct BorrowedScope {
  private let node: Unowned<ScopeNode>?

  /// - Parameter scope: A scope, which must outlive this value.
  @usableFromInline
  package init(_ scope: DependencyScope) {
    node = .optional(scope.node)
  }

  /// The scope, retained.
  @usableFromInline
  package var kept: DependencyScope {
    DependencyScope(node: node?.object)
  }

  @usableFromInline
  package func isSame(as other: BorrowedScope) -> Bool {
    node == other.node
  }

  /// Runs an operation in this scope, if the caller knows the current scope.
  ///
  /// That costs less than reading the task-local.
  @_alwaysEmitIntoClient
  package func run<R>(from current: BorrowedScope, _ operation: () -> R) -> R {
    if isSame(as: current) { return operation() }
    var result: R?
    bind { result = operation() }
    return result!
  }

  @usableFromInline
  func bind(_ operation: () -> Void) {
    guard let node else { return CurrentScope.bind(nil, operation) }
    node.borrow { CurrentScope.bind($0, operation) }
  }
}
