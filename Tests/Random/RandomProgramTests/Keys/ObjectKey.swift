import ComposableDependencies

/// The key of an object.
enum ObjectKey<High: Digit, Low: Digit>: DependencyKey {
  static var defaultValue: Token { Token(-1 - Number<High, Low>.value) }
}
