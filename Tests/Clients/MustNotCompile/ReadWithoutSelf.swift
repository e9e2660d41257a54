import ComposableEnvironment

extension Child {
  // error: cannot find 'limit' in scope
  var isLimited: Bool { limit > 0 }
  var isLimitedToo: Bool { self.limit > 0 }
}
