// flags: -swift-version 5
// A limit: in Swift 5 mode, `bind` should accept a function that isn't sendable, too.

import ComposableDependencies

func bind(_ scope: DependencyScope, _ add: @escaping (Int) -> Void) -> (Int) -> Void {
  // error: ambiguous use of 'bind'
  scope.bind(add)
}
