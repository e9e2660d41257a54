@testable import ComposableDependencies

extension KeptOverride {
  /// An override of an identity that need not be a key's.
  init(id: ObjectIdentifier, value: Int = 0) {
    enum Key: DependencyKey { static var defaultValue: Int { 0 } }
    var key: any DependencyKey.Type = Key.self
    // Swift looks the type of value up for a real key, and keeps it for all that have the same
    // conformance.
    _ = key.valueLayout
    // Sound, because the library only compares the first word, which is the identity.
    unsafe withUnsafeMutableBytes(of: &key) {
      unsafe $0.storeBytes(of: UInt(bitPattern: id), as: UInt.self)
    }
    self = OverrideNode.single(key, layout: ValueLayout(of: Int.self)) { $0.initialize(to: value) }
  }
}
