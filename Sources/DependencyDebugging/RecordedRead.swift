package import ComposableDependencies

/// A read of a dependency, in a scope over a global store that records reads.
package struct RecordedRead: Sendable {
  package enum Source: Sendable {
    case override(Origin?)
    case global(Origin?)
    /// The default of the key, or of the key that it is aliased to.
    case defaultValue
  }

  package let key: any DependencyKey.Type
  package let source: Source
  /// The keys whose defaults were being computed, the innermost first.
  ///
  /// What a default reads counts for the code that reads the default.
  package let defaults: [any DependencyKey.Type]

  /// Where a default was read outside any scope, if it was.
  var loss: Loss?

  enum Loss {
    case inNoScope
    case inScopeBuiltOutside
  }

  /// The key that the code outside of any default read.
  package var outermostKey: any DependencyKey.Type { defaults.last ?? key }

  package var isDefault: Bool {
    if case .defaultValue = source { true } else { false }
  }

  func isSame(as other: RecordedRead) -> Bool {
    key == other.key && isDefault == other.isDefault && loss == other.loss
      && defaults.elementsEqual(other.defaults, by: ==)
  }
}
