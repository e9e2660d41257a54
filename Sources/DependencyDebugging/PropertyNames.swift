package import ComposableDependencies
internal import Synchronization

/// The names of the properties of `Dependencies` that are known.
///
/// Swift doesn't say which property has set a key. A name is learned where a key path passes.
package enum PropertyNames {
  private static let names = Mutex<[ObjectIdentifier: String]>([:])

  package static func name(of key: any DependencyKey.Type) -> String? {
    names.withLock { $0[ObjectIdentifier(key)] }
  }

  static func learn(_ key: any DependencyKey.Type, from keyPath: AnyKeyPath) {
    guard name(of: key) == nil, let name = name(of: keyPath) else { return }
    names.withLock { $0[ObjectIdentifier(key)] = name }
  }

  /// The name of a property; `nil` if Swift doesn't know it, or for a path of several.
  static func name(of keyPath: AnyKeyPath) -> String? { name(in: "\(keyPath)") }

  /// The name of a property in the description of its key path.
  static func name(in text: String) -> String? {
    let prefix = "\\Dependencies."
    guard text.hasPrefix(prefix) else { return nil }
    let name = text.dropFirst(prefix.count)
    let isPlain = name.utf8.allSatisfy {
      $0 >= 0x80 || $0 == UInt8(ascii: "_") || UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0
        || UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0
        || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0
    }
    return isPlain && !name.isEmpty ? String(name) : nil
  }
}
