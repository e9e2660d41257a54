package import ComposableDependencies
internal import Synchronization

/// The names of the properties of `Dependencies` that are known.
///
/// Swift doesn't connect a key with its property. A name is learned where the property reads its
/// default or sets it, while something observes reads or records places.
package enum PropertyNames {
  private static let names = Mutex<[ObjectIdentifier: String]>([:])

  package static func name(of key: any DependencyKey.Type) -> String? {
    names.withLock { $0[ObjectIdentifier(key)] }
  }

  /// What a message calls the dependency of a key.
  package static func text(of key: any DependencyKey.Type) -> String {
    name(of: key).map { "\\.\($0) (\(key))" } ?? "`\(key)`"
  }

  /// - Parameter accessor: What reads or sets the key, as `#function` names it.
  static func learn(_ key: any DependencyKey.Type, from accessor: StaticString) {
    guard name(of: key) == nil, isProperty("\(accessor)") else { return }
    names.withLock { $0[ObjectIdentifier(key)] = "\(accessor)" }
  }

  /// Whether a name is that of a property: the name of a function has parentheses, and code in an
  /// attribute or an initial value has the name of its type or module.
  private static func isProperty(_ name: String) -> Bool {
    !name.contains("(") && name.first?.isUppercase == false
  }
}
