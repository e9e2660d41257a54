import ComposableEnvironment

extension Feature {
  mutating func relax() {
    // error: cannot assign to property: 'limit' is a get-only property
    limit = 4
  }
}
