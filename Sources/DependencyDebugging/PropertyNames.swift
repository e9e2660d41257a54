package import ComposableDependencies
internal import Synchronization

/// The names of the properties of `Dependencies` that are known.
///
/// Swift doesn't connect a key with its property. A name is learned where a key path passes, and
/// where a property reads its key's default.
package enum PropertyNames {
  private static let names = Mutex<[ObjectIdentifier: String]>([:])

  package static func name(of key: any DependencyKey.Type) -> String? {
    names.withLock { $0[ObjectIdentifier(key)] }
  }

  static func learn(_ key: any DependencyKey.Type, from keyPath: AnyKeyPath) {
    guard name(of: key) == nil, let name = name(of: keyPath) else { return }
    names.withLock { $0[ObjectIdentifier(key)] = name }
  }

  /// - Parameter function: What reads the key, as `#function` names it.
  static func learn(_ key: any DependencyKey.Type, from function: StaticString) {
    guard name(of: key) == nil, isPlain("\(function)") else { return }
    names.withLock { $0[ObjectIdentifier(key)] = "\(function)" }
  }

  /// The name of a property; `nil` if Swift doesn't know it, or for a path of several.
  static func name(of keyPath: AnyKeyPath) -> String? { name(in: "\(keyPath)") }

  /// The name of a property in the description of its key path.
  static func name(in text: String) -> String? {
    let prefix = "\\Dependencies."
    guard text.hasPrefix(prefix) else { return nil }
    let name = String(text.dropFirst(prefix.count))
    return isPlain(name) ? name : nil
  }

  /// Whether a name is that of a property, not of a function or a path.
  private static func isPlain(_ name: String) -> Bool {
    !name.isEmpty
      && name.utf8.allSatisfy {
        $0 >= 0x80 || $0 == UInt8(ascii: "_") || UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0
          || UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0
          || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0
      }
  }
}
