package import ComposableDependencies
internal import Synchronization

/// The names of the properties of `Dependencies` that are known.
///
/// Swift doesn't connect a key with its property. A name is learned where the property reads its key
/// while something observes reads.
package enum PropertyNames {
  private static let names = Mutex<[ObjectIdentifier: String]>([:])

  package static func name(of key: any DependencyKey.Type) -> String? {
    names.withLock { $0[ObjectIdentifier(key)] }
  }

  /// What a message calls the dependency of a key.
  package static func text(of key: any DependencyKey.Type) -> String {
    name(of: key).map { "\\.\($0) (\(key))" } ?? "`\(key)`"
  }

  /// - Parameter reader: What reads the key, as `#function` names it.
  static func learn(_ key: any DependencyKey.Type, from reader: StaticString) {
    guard name(of: key) == nil, isProperty("\(reader)") else { return }
    names.withLock { $0[ObjectIdentifier(key)] = "\(reader)" }
  }

  /// Whether a name is that of a property: the name of a function has parentheses.
  private static func isProperty(_ name: String) -> Bool {
    !name.isEmpty && !name.contains("(")
  }
}
