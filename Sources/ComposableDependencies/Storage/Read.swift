/// A read of a dependency.
package struct Read: Sendable {
  /// The key; for a default of aliased keys, their root.
  package let key: any DependencyKey.Type
  /// The function that reads the key, or an empty string.
  package let reader: StaticString
  package let source: ValueSource
  /// The scope that is read.
  let node: ScopeNode?
  /// The keys of the defaults that are being computed, the innermost first.
  ///
  /// What a default reads counts for the code that reads the default.
  package let defaults: [any DependencyKey.Type]

  package init(
    _ key: any DependencyKey.Type, by reader: StaticString = "", from source: ValueSource,
    in node: ScopeNode?
  ) {
    self.key = key
    self.reader = reader
    self.source = source
    self.node = node
    defaults = Self.currentDefaults
  }

  /// The keys of the defaults that are being computed here, the innermost first.
  package static var currentDefaults: [any DependencyKey.Type] { ComputedDefault.keys }
}
