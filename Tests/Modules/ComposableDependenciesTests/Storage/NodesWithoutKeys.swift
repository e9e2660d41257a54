@testable import ComposableDependencies

extension OverrideNode {
  /// A node for a table to keep, with an identity that need not be a key's.
  convenience init(id: ObjectIdentifier) {
    // Sound, because the key is never used but for its identity, which is its first word.
    let key = unsafe unsafeBitCast(
      (UInt(bitPattern: id), 0 as UInt), to: (any DependencyKey.Type).self)
    self.init(for: key, keptWith: nil)
  }
}
