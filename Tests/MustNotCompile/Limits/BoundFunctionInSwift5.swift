// flags: -swift-version 5
// Not wanted: in Swift 5 mode, too, a function that is not sendable should be carried along.

import ComposableDependencies

func bind(_ scope: DependencyScope, _ add: @escaping (Int) -> Void) -> (Int) -> Void {
  // error: ambiguous use of 'bind'
  scope.bind(add)
}
